import CoreData
import Foundation
import Synchronization

/// What a test's incremental store is a store of: records by entity and key, as a server or a database would have them.
final class Warehouse: @unchecked Sendable {
    struct Key: Hashable {
        var entity: String
        var reference: AnyHashable
        init(_ entity: String, _ reference: AnyHashable) {
            self.entity = entity
            self.reference = reference
        }

        /// What keys are put in order by.
        var text: String { "\(entity)/\(reference)" }
    }

    struct Record {
        var version: UInt64 = 1
        /// Attributes by name.
        var values: [String: Any] = [:]
        /// Destinations by relationship.
        var destinations: [String: [Key]] = [:]
    }

    /// What a test has the store do otherwise.
    struct Behaviour {
        /// Nodes hold to-one and to-many relationships.
        var givesRelationships = false
        /// Fetches give the values of their results along.
        var givesValues = false
        var newKey: (Int) -> AnyHashable = { $0 }
        var metadata: [String: Any]?
        var loadFailure: (any Error)?
        var saveFailure: (any Error)?
        var execute: ((NSPersistentStoreRequest, WarehouseStore, NSManagedObjectContext) throws -> Any?)?
        var node: ((NSManagedObjectID, WarehouseStore) throws -> NSIncrementalStoreNode?)?
        var value: ((NSRelationshipDescription, NSManagedObjectID, WarehouseStore) throws -> Any?)?
        var permanentIDs: (([NSManagedObject], WarehouseStore) throws -> [NSManagedObjectID]?)?
    }

    private let lock = NSRecursiveLock()
    private var storedRecords: [Key: Record] = [:]
    private var storedLog: [String] = []
    private var storedUses: [NSManagedObjectID: Int] = [:]
    private var storedBehaviour = Behaviour()
    private var lastKey = 100

    var records: [Key: Record] {
        get { lock.withLock { storedRecords } }
        set { lock.withLock { storedRecords = newValue } }
    }
    var behaviour: Behaviour {
        get { lock.withLock { storedBehaviour } }
        set { lock.withLock { storedBehaviour = newValue } }
    }
    /// How often each object is registered by contexts.
    var uses: [NSManagedObjectID: Int] { lock.withLock { storedUses } }
    /// The request that was handed to the store last.
    var lastFetch: NSFetchRequest<NSFetchRequestResult>?

    func log(_ call: String) { lock.withLock { storedLog.append(call) } }

    /// The calls since the log was last taken.
    func takeLog() -> [String] {
        lock.withLock {
            defer { storedLog = [] }
            return storedLog
        }
    }

    /// The same without the calls for values: a store reads the objects that it saves.
    func takeRequests() -> [String] { takeLog().filter { !$0.hasPrefix("newValue") } }

    func use(_ ids: [NSManagedObjectID], _ change: Int) {
        lock.withLock {
            for id in ids { storedUses[id, default: 0] += change }
            storedUses = storedUses.filter { $0.value != 0 }
        }
    }

    func makeKey() -> AnyHashable {
        lock.withLock {
            lastKey += 1
            return storedBehaviour.newKey(lastKey)
        }
    }

    @discardableResult
    func add(
        _ entity: String, _ reference: AnyHashable, _ values: [String: Any] = [:], _ destinations: [String: [Key]] = [:]
    ) -> Key {
        let key = Key(entity, reference)
        records[key] = Record(values: values, destinations: destinations)
        return key
    }

    // MARK: Places

    private struct Entry { weak var warehouse: Warehouse? }
    private static let all = Mutex<[URL: Entry]>([:])

    let url = URL(string: "warehouse://\(UUID().uuidString)")!

    init() { Self.all.withLock { $0[url] = Entry(warehouse: self) } }

    static func at(_ url: URL?) -> Warehouse? {
        url.flatMap { url in all.withLock { $0[url]?.warehouse } }
    }
}
