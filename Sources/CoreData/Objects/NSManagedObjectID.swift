import Foundation
import FoundationCompat
import ManagedObjectModel
import Synchronization

/// A compact, universal identity of a managed object, usable across contexts, queues and processes.
///
/// An ID is temporary until its object is saved (or ``NSManagedObjectContext/obtainPermanentIDs(for:)`` is called), and
/// then never changes. IDs are immutable and may be passed to any thread (Apple: NSManagedObjectID).
public final class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
    /// The entity of the object: the most specific one, where known.
    public let entity: NSEntityDescription

    let layout: EntityLayout
    private let model: ModelLayout
    let handle: Int64
    private weak var assignedStore: NSPersistentStore?
    private let storeIdentifier: String?

    init(layout: EntityLayout, handle: Int64, store: NSPersistentStore?) {
        self.layout = layout
        model = layout.model
        entity = layout.entity
        self.handle = handle
        assignedStore = store
        storeIdentifier = store?.identifier
    }

    /// The store that holds the object; nil for a temporary ID, and after the store has gone.
    public var persistentStore: NSPersistentStore? { assignedStore }

    /// Whether the object has not been saved yet.
    public var isTemporaryID: Bool { storeIdentifier == nil }

    /// The entity's name.
    public var entityName: String { layout.name }

    var key: ObjectKey { ObjectKey(handle: handle, entityIndex: layout.index) }

    /// A URL that stands for the object: `x-coredata://<store>/<entity>/p<reference>`, or `…/t<unique>` while temporary.
    public func uriRepresentation() -> URL {
        ObjectURI(storeIdentifier: storeIdentifier, entityName: layout.name, reference: referenceText).url
    }

    private var referenceText: String {
        guard storeIdentifier != nil else { return TemporaryIdentity.text(of: handle) }
        return assignedStore?.referenceText(of: handle) ?? String(handle)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return self === other
            || handle == other.handle && storeIdentifier == other.storeIdentifier
                && layout.root.name == other.layout.root.name
    }

    /// The store is left out: few IDs of several stores meet in one set, and every ID in a set is hashed.
    public override var hash: Int { Int(truncatingIfNeeded: handle) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override var description: String {
        let state = isTemporaryID ? "temporary" : "permanent"
        return "<\(uriRepresentation().absoluteString)> (\(state))"
    }
}

/// The identities that objects have before a store gives them one: unique in this process, and in text in all.
enum TemporaryIdentity {
    private static let counter = Atomic<Int64>(0)
    private static let process = UUID().uuidString

    static func next() -> Int64 { counter.add(1, ordering: .relaxed).newValue }

    static func text(of handle: Int64) -> String { "\(process)\(handle)" }

    static func handle(of text: String) -> Int64? {
        guard text.hasPrefix(process) else { return nil }
        return Int64(text.dropFirst(process.count))
    }
}
