import CoreData

/// What entries are about. The class has another name than its entity.
#if canImport(ObjectiveC)
    @objc(JournalTag)
#endif
public class JournalTag: NSManagedObject {
    @NSManaged public var name: String
    @NSManaged public var entries: Set<Entry>

    public class func fetchRequest() -> NSFetchRequest<JournalTag> {
        NSFetchRequest<JournalTag>(entityName: "Tag")
    }
}

extension JournalTag {
    #if canImport(ObjectiveC)
        @objc(addEntriesObject:)
    #endif
    @NSManaged public func addToEntries(_ value: Entry)

    #if canImport(ObjectiveC)
        @objc(removeEntriesObject:)
    #endif
    @NSManaged public func removeFromEntries(_ value: Entry)
}
