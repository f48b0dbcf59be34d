import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Remote-change notifications", .serialized)
struct RemoteChangeTests {
    private static let option = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true)]

    /// What the notifications of a coordinator said.
    private final class Listener: Sendable {
        struct Post: Sendable {
            let store: String?
            let url: URL?
            let token: NSPersistentHistoryToken?
        }

        private let posts = Mutex<[Post]>([])
        private nonisolated(unsafe) var observer: (any NSObjectProtocol)?

        init(_ coordinator: NSPersistentStoreCoordinator) {
            observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
            ) { [weak self] notification in
                let post = Post(
                    store: notification.userInfo?[NSStoreUUIDKey] as? String,
                    url: notification.userInfo?[NSPersistentStoreURLKey] as? URL,
                    token: notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
                self?.posts.withLock { $0.append(post) }
            }
        }

        deinit { observer.map(NotificationCenter.default.removeObserver) }

        var all: [Post] { posts.withLock { $0 } }

        /// Waits until a post fits, at most twenty seconds.
        func wait(for fits: (Post) -> Bool) -> Bool {
            let limit = Date(timeIntervalSinceNow: 20)
            while Date() < limit {
                if all.contains(where: fits) { return true }
                Thread.sleep(forTimeInterval: 0.005)
            }
            return false
        }
    }

    @Test("what this stack saves is posted, with the store and a token that stands behind the save")
    func ownSaves() throws {
        let stack = try TrackedStack(options: Self.option)
        let listener = Listener(stack.coordinator)
        for number in 1...3 {
            stack.context.make("Author", ["name": "\(number)"])
            try stack.context.save()
            let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
            #expect(listener.wait { $0.token == token })
        }
        #expect(listener.all.allSatisfy { $0.store == stack.store.identifier && $0.url == stack.url })
    }

    @Test("what another stack over the file writes is posted, also without history")
    func otherStack() throws {
        let stack = try TrackedStack(tracksHistory: false, options: Self.option)
        let listener = Listener(stack.coordinator)
        let second = try AtomicStack(stack.url, type: NSSQLiteStoreType)
        second.context.make("Author", ["name": "X"])
        try second.context.save()
        #expect(listener.wait { $0.token == nil && $0.store == stack.store.identifier })
        try second.coordinator.remove(second.store)
    }

    @Test("what another process writes is posted")
    func otherProcess() throws {
        let stack = try TrackedStack(options: Self.option)
        let listener = Listener(stack.coordinator)
        let model = Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld")
        let child = try ChildProcess(["save", stack.url.path, model.path, "1"])
        #expect(listener.wait { $0.token != nil })
        _ = child.finish(within: 0)
        let before = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        #expect(listener.wait { $0.token == before })
    }

    @Test("nothing is posted without the option, nor when the store has been removed")
    func silence() throws {
        let stack = try TrackedStack()
        let listener = Listener(stack.coordinator)
        stack.context.make("Author", ["name": "X"])
        try stack.context.save()
        let watched = try TrackedStack(options: Self.option)
        let second = try watched.secondStack()
        let listening = Listener(watched.coordinator)
        try watched.coordinator.remove(watched.store)
        second.context.make("Author", ["name": "Y"])
        try second.context.save()
        Thread.sleep(forTimeInterval: 0.5)
        #expect(listener.all.isEmpty && listening.all.isEmpty)
        try second.coordinator.remove(second.store)
    }

    @Test("What a context posts after a save has the save's place in history, where the store keeps any")
    func tokenOfSave() throws {
        for keepsHistory in [true, false] {
            let stack = try TrackedStack(tracksHistory: keepsHistory, model: ArticleStores.makeModel())
            let (context, coordinator) = (stack.context, stack.coordinator)
            try context.performAndWait {
                let log = SaveLog(context, NSManagedObjectContext.didSaveObjectsNotification)
                for number in 1...2 {
                    context.make("Tag", ["label": "\(number)"])
                    try context.save()
                    let token = log.take().first?.userInfo?["newChangeToken"] as? NSPersistentHistoryToken
                    #expect(token == (keepsHistory ? coordinator.currentPersistentHistoryToken(fromStores: nil) : nil))
                    #expect((token == nil) != keepsHistory)
                }
            }
        }
    }
}
