/// What a request wants of the stores.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// Objects, their IDs, dictionaries or a count.
    case fetchRequestType = 1
    /// To save the changes of a context.
    case saveRequestType = 2
    /// To insert many rows without making objects.
    case batchInsertRequestType = 5
    /// To change many rows without making objects.
    case batchUpdateRequestType = 6
    /// To delete many rows without making objects.
    case batchDeleteRequestType = 7
    /// To read or delete persistent history. An addition: Apple's header has no name for it.
    case persistentHistoryRequestType = 8
}
