import CoreData

extension NSManagedObjectContext {
    /// What packages declare that are older than Core Data's method of the same signature.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        userInfo["waits"] = (userInfo["waits"] as? Int ?? 0) + 1
        return try block()
    }
}
