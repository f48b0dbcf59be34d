/// A section of a fetched results controller (Apple: NSFetchedResultsSectionInfo).
public protocol NSFetchedResultsSectionInfo {
    /// The value of the section's objects at the controller's `sectionNameKeyPath`, as text.
    var name: String { get }
    /// The title by which an index of sections shows it.
    var indexTitle: String? { get }
    /// How many objects the section has.
    var numberOfObjects: Int { get }
    /// The objects in order.
    var objects: [Any]? { get }
}
