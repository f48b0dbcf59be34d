import CoreData
import Foundation
import Testing

@Suite("Observers of notifications by a selector that brings its method along")
struct SelectorObserverTests {
    private final class Listener: NSObject {
        var received: [Notification] = []
        var count = 0

        static let note = Selector(
            ("note:"), calling: { (target: Listener, argument: Any?) in target.note(argument as! Notification) })
        static let tick = Selector(("tick"), calling: { (target: Listener, _: Any?) in target.tick() })

        func note(_ notification: Notification) { received.append(notification) }
        func tick() { count += 1 }
    }

    @Test("are called with the notification, until they are removed or have gone")
    func calls() {
        let center = NotificationCenter()
        let (first, second) = (Notification.Name("first"), Notification.Name("second"))
        var listener: Listener? = Listener()
        weak let reference = listener
        center.addObserver(listener!, selector: Listener.note, name: first, object: nil)
        center.addObserver(listener!, selector: Listener.tick, name: nil, object: nil)
        center.post(name: first, object: self, userInfo: ["a": 1])
        center.post(name: second, object: nil)
        #expect(listener?.received.map(\.name) == [first] && listener?.count == 2)
        #expect(listener?.received.first?.userInfo?["a"] as? Int == 1)
        center.removeObserver(listener!, name: first, object: nil)
        center.post(name: first, object: nil)
        #expect(listener?.received.count == 1 && listener?.count == 3)
        listener = nil
        #expect(reference == nil)
        center.post(name: first, object: nil)
    }

    private final class Helper: NSObject {
        nonisolated(unsafe) static var count = 0

        static func watch(_ center: NotificationCenter, _ name: Notification.Name) {
            center.addObserver(self, name: name, object: nil) { $0.saved($1) }
        }

        static func saved(_ notification: Notification) { count += 1 }
    }

    @Test("may be classes, whose static methods are called until they are removed")
    func classes() {
        let center = NotificationCenter()
        let (first, second) = (Notification.Name("first"), Notification.Name("second"))
        Helper.watch(center, first)
        Helper.watch(center, second)
        center.post(name: first, object: nil)
        #expect(Helper.count == 1)
        center.removeObserver(Helper.self, name: first, object: nil)
        center.post(name: first, object: nil)
        center.post(name: second, object: nil)
        #expect(Helper.count == 2)
        center.removeObserver(Helper.self)
        center.post(name: second, object: nil)
        #expect(Helper.count == 2)
    }

    @Test("are equal where their names are")
    func equality() {
        #expect(Listener.tick == Selector("tick") && Listener.tick != Listener.note)
        #expect(Set([Listener.tick, Selector("tick")]).count == 1)
    }
}
