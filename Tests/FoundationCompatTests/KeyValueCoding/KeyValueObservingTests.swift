import FoundationCompat
import Testing

@Suite("Key-value observing")
struct KeyValueObservingTests {
    private final class Person: NSObject, KeyPathCoding, KeyValueDependencies {
        var name = "Ann"
        var friend: Person?

        var greeting: String { "Hello, \(name)" }

        static var keyPathsByKey: [String: AnyKeyPath] {
            ["name": \Person.name, "friend": \Person.friend, "greeting": \Person.greeting]
        }

        static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
            key == "greeting" ? ["name"] : []
        }
    }

    private final class Observer: NSObject, KeyValueObserver {
        var changes: [[NSKeyValueChangeKey: Any]] = []

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            changes.append(change ?? [:])
        }
    }

    @Test("tells old and new values, the initial one, and the time before a change")
    func options() {
        let person = Person()
        let observer = Observer()
        person.addObserver(observer, forKeyPath: "name", options: [.old, .new, .initial, .prior])
        person.setValue("Bob", forKey: "name")
        #expect(observer.changes.count == 3)
        #expect(observer.changes[0][.newKey] as? String == "Ann")
        #expect(observer.changes[1][.notificationIsPriorKey] as? Bool == true)
        #expect(observer.changes[2][.oldKey] as? String == "Ann")
        #expect(observer.changes[2][.newKey] as? String == "Bob")
        person.removeObserver(observer, forKeyPath: "name")
        person.setValue("Cid", forKey: "name")
        #expect(observer.changes.count == 3)
    }

    @Test("lets an observer leave in its deinit, where no weak reference leads to it")
    func leavingObserver() {
        final class Listener: NSObject, KeyValueObserver {
            let person: Person
            init(_ person: Person) {
                self.person = person
                super.init()
                person.addObserver(self, forKeyPath: "name")
                person.addObserver(self, forKeyPath: "friend.name")
            }
            func observeValue(
                forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                context: UnsafeMutableRawPointer?
            ) {}
            deinit {
                person.removeObserver(self, forKeyPath: "friend.name")
                person.removeObserver(self, forKeyPath: "name")
            }
        }
        let person = Person()
        person.friend = Person()
        for _ in 0..<3 { _ = Listener(person) }
        person.setValue("Bob", forKey: "name")
        #expect(person.name == "Bob")
    }

    @Test("follows key paths to objects that are exchanged")
    func keyPaths() {
        let (person, first, second) = (Person(), Person(), Person())
        person.friend = first
        let observer = Observer()
        person.addObserver(observer, forKeyPath: "friend.name", options: .new)
        first.setValue("First", forKey: "name")
        person.setValue(second, forKey: "friend")
        first.setValue("Ignored", forKey: "name")
        second.setValue("Second", forKey: "name")
        #expect(observer.changes.map { $0[.newKey] as? String } == ["First", "Ann", "Second"])
        person.removeObserver(observer, forKeyPath: "friend.name", context: nil)
    }

    @Test("knows dependent keys, and blocks that observe until they are released")
    func blocks() {
        KeyPathNames.register([\Person.name: "name", \Person.greeting: "greeting"])
        let person = Person()
        var greetings: [String?] = []
        var observation: NSKeyValueObservation? = person.observe(\.greeting, options: [.new, .old]) { _, change in
            greetings.append(change.newValue)
        }
        person.setValue("Bob", forKey: "name")
        person.willChangeValue(for: \.name)
        person.name = "Cid"
        person.didChangeValue(for: \.name)
        observation?.invalidate()
        observation = nil
        person.setValue("Dan", forKey: "name")
        #expect(greetings == ["Hello, Bob", "Hello, Cid"])
    }

    @Test("tells the places of a collection's change")
    func collections() {
        let person = Person()
        let observer = Observer()
        person.addObserver(observer, forKeyPath: "name")
        person.willChange(.insertion, valuesAt: [1, 2], forKey: "name")
        person.didChange(.insertion, valuesAt: [1, 2], forKey: "name")
        person.willChangeValue(forKey: "name", withSetMutation: .minus, using: [1])
        person.didChangeValue(forKey: "name", withSetMutation: .minus, using: [1])
        #expect(observer.changes[0][.indexesKey] as? IndexSet == [1, 2])
        #expect(observer.changes.map { $0[.kindKey] as? UInt } == [2, 3])
        person.removeObserver(observer, forKeyPath: "name")
    }
}
