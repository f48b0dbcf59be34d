import CoreData
import Foundation
import Testing

@Suite("Whether setting a value tells observers")
struct AutomaticNotificationTests {
    private final class Watcher: NSObject, KeyValueObserver {
        var keys: [String] = []
        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) { keys.append(keyPath ?? "") }
    }

    private final class Gauge: NSObject, KeyPathCoding, KeyValueDependencies {
        var loud = 0
        var quiet = 0
        static var keyPathsByKey: [String: AnyKeyPath] { ["loud": \Gauge.loud, "quiet": \Gauge.quiet] }
        static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "quiet" }
    }

    @Test func `a class says which of its keys tell of their changes by themselves`() {
        let gauge = Gauge()
        let watcher = Watcher()
        for key in ["loud", "quiet"] { gauge.addObserver(watcher, forKeyPath: key) }
        gauge.setValue(1, forKey: "loud")
        gauge.setValue(1, forKey: "quiet")
        #expect(watcher.keys == ["loud"])
        for key in ["loud", "quiet"] { gauge.removeObserver(watcher, forKeyPath: key) }
    }

    private final class Reading: NSManagedObject {
        var loud = 0
        var quiet = 0
        override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "quiet" }
    }

    @Test func `a managed object tells of what it declares beside the model, unless it says that it doesn't`() throws {
        GeneratedClasses.register(properties: { [\Reading.loud: "loud", \Reading.quiet: "quiet"] })
        let entity = NSEntityDescription()
        entity.name = "Reading"
        entity.managedObjectClassName = NSStringFromClass(Reading.self)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let reading = Reading(entity: entity, insertInto: nil)
        let watcher = Watcher()
        for key in ["loud", "quiet"] { reading.addObserver(watcher, forKeyPath: key) }
        reading.setValue(2, forKey: "loud")
        reading.setValue(2, forKey: "quiet")
        #expect(watcher.keys == ["loud"])
        #expect(reading.quiet == 2)
        for key in ["loud", "quiet"] { reading.removeObserver(watcher, forKeyPath: key) }
    }
}
