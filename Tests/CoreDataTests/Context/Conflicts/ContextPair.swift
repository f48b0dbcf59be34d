import CoreData
import Foundation
import Testing

/// Two contexts of one coordinator over books, each with a cover of its own, authors and genres. The second saves with the error policy.
struct ContextPair {
    let stack: TemporaryStack
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext
    let log: SaveLog

    init(_ storeType: String, _ policy: NSMergePolicy = .error) throws {
        stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        (mine, theirs) = (stack.context(), stack.context())
        mine.mergePolicy = policy
        mine.retainsRegisteredObjects = true
        theirs.retainsRegisteredObjects = true
        log = SaveLog(theirs)
    }

    func make(_ entity: String, _ name: String) -> NSManagedObject { mine.make(entity, ["name": name]) }

    func their(_ object: NSManagedObject) throws -> NSManagedObject {
        let theirs = try theirs.existingObject(with: object.objectID)
        _ = theirs.text("name")
        return theirs
    }

    func merge() { for save in log.take() { mine.mergeChanges(fromContextDidSave: save) } }

    /// What others see of a relationship: names, sorted.
    func stored(_ object: NSManagedObject, _ key: String) throws -> [String] {
        let value = try stack.context().existingObject(with: object.objectID).value(forKey: key)
        let objects =
            (value as? NSManagedObject).map { [$0] } ?? (value as? Set<NSManagedObject>).map(Array.init) ?? []
        return objects.compactMap { $0.text("name") }.sorted()
    }

    func agree(_ comment: String = "") throws {
        #expect(try Relationships.differences(in: stack.context()) == [], "\(comment)")
        #expect(try Relationships.differences(in: stack.reopened()) == [], "\(comment)")
        #expect(try Relationships.differences(in: mine) == [], "\(comment)")
    }
}
