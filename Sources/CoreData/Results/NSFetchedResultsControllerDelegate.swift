import Foundation

/// Is notified how the results of a fetched results controller change (Apple: NSFetchedResultsControllerDelegate).
///
/// All methods may be left out. What is sent depends on which are there, as on Apple's platforms: a snapshot alone, if its
/// method is; otherwise a difference alone, if its method is and the controller has no sections; otherwise the other four.
/// A method counts where the class or extension that adopts the protocol declares it: there is no look-up by name on
/// Linux, so one that only a subclass adds isn't found.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Called before the first of a series of changes is reported.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// A section came or went. Indexes of deleted sections are those from before all changes, those of inserted ones from
    /// after.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// An object came, went, moved or was changed.
    ///
    /// - Parameters:
    ///   - indexPath: where it was before all changes; nil for insertions.
    ///   - newIndexPath: where it is after all changes; nil for deletions.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Called after the last of a series of changes was reported.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The results are these now. Also sent by `performFetch()`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

    /// The results have changed by this. Sent only where the controller has no `sectionNameKeyPath`.
    ///
    /// An object that was changed and stays where it is comes as a removal and an insertion that are associated (our
    /// choice: Apple's page doesn't say how it comes).
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title by which an index of sections shows one; nil for none.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

// Where the delegate doesn't have a method, its default is called, which lets the controller know.
extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Tells the controller that the delegate has no such method, so that it sends something else.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) { controller.results.delegateLacksMethod = true }

    /// Tells the controller that the delegate has no such method, so that it sends something else.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) { controller.results.delegateLacksMethod = true }

    /// Tells the controller that the delegate has no such method; the title is then the controller's own.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        controller.results.delegateLacksMethod = true
        return nil
    }
}
