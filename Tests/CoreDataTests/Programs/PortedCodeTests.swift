import CoreData
import Foundation
import Testing

@Suite("What ported sources call")
struct PortedCodeTests {
    private final class Listener {
        var names: [String] = []
        func heard(_ notification: Notification) { names.append(notification.name.rawValue) }
    }

    private final class Titled: NSObject {
        var title = ""
    }

    private let center = NotificationCenter()
    private let first = Notification.Name("first")
    private let second = Notification.Name("second")

    @Test("An observer is called on posting, until it is removed by itself or by a name")
    func observing() {
        let listener = Listener()
        for name in [first, second] {
            center.addObserver(listener, name: name, object: nil) { $0.heard($1) }
        }
        center.post(name: first, object: nil)
        center.post(name: second, object: nil)
        #expect(listener.names == ["first", "second"])
        center.removeObserver(listener, name: second, object: nil)
        center.post(name: second, object: nil)
        center.post(name: first, object: nil)
        #expect(listener.names == ["first", "second", "first"])
        center.removeObserver(listener)
        center.post(name: first, object: nil)
        #expect(listener.names.count == 3)
    }

    @Test("An observer of one object hears of no other, and isn't kept alive")
    func objects() {
        let sender = Titled()
        weak var gone: Listener?
        do {
            let listener = Listener()
            gone = listener
            center.addObserver(listener, name: first, object: sender) { $0.heard($1) }
            center.post(name: first, object: Titled())
            center.post(name: first, object: sender)
            #expect(listener.names == ["first"])
        }
        #expect(gone == nil)
        center.post(name: first, object: sender)
    }

    @Test("Tokens of closures are removed as before")
    func tokens() {
        let listener = Listener()
        let token = center.addObserver(forName: first, object: nil, queue: nil) { [box = Box(listener)] in
            box.value.heard($0)
        }
        center.post(name: first, object: nil)
        center.removeObserver(token)
        center.post(name: first, object: nil)
        #expect(listener.names == ["first"])
    }

    @Test("A request that is cast is the same request")
    func casting() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        let erased = NSFetchRequest<any NSFetchRequestResult>.cast(request)
        #expect(NSFetchRequest<any NSFetchRequestResult>.castIfRequest(request) === erased)
        #expect(NSFetchRequest<any NSFetchRequestResult>.castIfRequest("no request") == nil)
        #expect(NSFetchRequest<any NSFetchRequestResult>.castIfRequest(nil) == nil)
        erased.fetchLimit = 3
        #expect(request.fetchLimit == 3)
        #expect(erased == request)
        #expect(erased.entityName == "Book")
    }

    @Test("Key paths have the names that they were registered under")
    func keyPaths() {
        KeyPathNames.register([\Titled.title: "title"])
        #expect((\Titled.title as AnyKeyPath)._kvcKeyPathString == "title")
        #expect((\Listener.names as AnyKeyPath)._kvcKeyPathString == nil)
        #expect((\Double.self as AnyKeyPath)._kvcKeyPathString == "self")
    }

    @Test("autoreleasepool returns and throws what its closure does")
    func pools() {
        #expect(autoreleasepool { 3 } == 3)
        #expect(throws: CocoaError.self) { try autoreleasepool { throw CocoaError(.fileNoSuchFile) } }
    }

    private struct Box: @unchecked Sendable {
        let value: Listener
        init(_ value: Listener) { self.value = value }
    }
}
