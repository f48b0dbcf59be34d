import CoreData
import Foundation
import Testing

/// A root context of the main queue over a store of its own, and children of it on the same queue.
///
/// All of them may be used from the main actor without further ado.
@MainActor
final class ContextTree {
    let stack: TemporaryStack
    let root: NSManagedObjectContext
    /// Contexts whose objects a test goes on with.
    private var children: [NSManagedObjectContext] = []

    init(model: NSManagedObjectModel? = nil, storeType: String = NSSQLiteStoreType) throws {
        stack = try TemporaryStack(model: model, storeType: storeType)
        root = NSManagedObjectContext(.mainQueue)
        root.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    }

    func child(of parent: NSManagedObjectContext? = nil) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = parent ?? root
        children.append(child)
        return child
    }

    /// Another root context of the same coordinator.
    func sibling() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = root.persistentStoreCoordinator
        children.append(context)
        return context
    }

    /// A context of a second stack over what is in the store; of the same stack where the store is in memory.
    func stored() throws -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = try stack.reopened().persistentStoreCoordinator
        children.append(context)
        return context
    }
}

/// Gathers the notifications of a name that a context posts.
final class PostedNotifications: @unchecked Sendable {
    private var posted: [Notification] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, from context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
            self?.posted.append($0)
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    var count: Int { posted.count }
    var last: Notification? { posted.last }
    var all: [Notification] { posted }

    func objects(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObject> {
        posted.reduce(into: []) { $0.formUnion($1.userInfo?[key.rawValue] as? Set<NSManagedObject> ?? []) }
    }

    func ids(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
        posted.reduce(into: []) { $0.formUnion($1.userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []) }
    }
}

extension NSManagedObjectContext {
    /// Saves, has another context of the same thread merge the save, and gives what that one posts of changes.
    func save(mergedInto context: NSManagedObjectContext) throws -> PostedNotifications {
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: self)
        try save()
        let changes = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: context)
        context.mergeChanges(fromContextDidSave: try #require(saved.last))
        return changes
    }
}
