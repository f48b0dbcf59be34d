import CoreData

/// What entries are about. The class has another name than its entity.
#if canImport(ObjectiveC)
    @objc(JournalTag)
#endif
public class JournalTag: NSManagedObject {
    /// The word, as it is shown beside an entry.
    @NSManaged public var name: String
    /// The entries that have the tag; the inverse of their `tags`.
    @NSManaged public var entries: Set<Entry>

    /// A request for all tags. The entity's name isn't the class's, so it is written out.
    public class func fetchRequest() -> NSFetchRequest<JournalTag> {
        NSFetchRequest<JournalTag>(entityName: "Tag")
    }
}

extension JournalTag {
    /// Adds an entry to ``entries``, and the tag to the entry.
    #if canImport(ObjectiveC)
        @objc(addEntriesObject:)
    #endif
    @NSManaged public func addToEntries(_ value: Entry)

    /// Takes an entry out of ``entries``, and the tag from the entry.
    #if canImport(ObjectiveC)
        @objc(removeEntriesObject:)
    #endif
    @NSManaged public func removeFromEntries(_ value: Entry)
}
