@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

/// One object that was changed both in a context and elsewhere.
///
/// Where another context of the same coordinator saved it in between, the context disagrees with the coordinator: the values
/// there are in ``cachedSnapshot``, and ``persistedSnapshot`` is nil. Where another coordinator or process did, the coordinator
/// disagrees with the store: ``cachedSnapshot`` has what was read, and ``persistedSnapshot`` what is stored (Apple:
/// NSMergeConflict). A parent context is the store of its children.
open class NSMergeConflict: NSObject {
    /// The object that the context was saving.
    open private(set) var sourceObject: NSManagedObject
    /// The values that the context has read or saved last: what both sides began with. What it has changed since are the
    /// ``sourceObject``'s `changedValues()` (seen in what Apple's conflicts print).
    open private(set) var objectSnapshot: [String: Any]?
    /// The values that the coordinator has; nil when the object was deleted through it.
    open private(set) var cachedSnapshot: [String: Any]?
    /// The values that the store has now; nil when the object was deleted there, and where it has what the coordinator has.
    open private(set) var persistedSnapshot: [String: Any]?
    /// The version that the object was read with.
    open private(set) var oldVersionNumber: Int
    /// The version that the store has now; 0 when the object was deleted there.
    open private(set) var newVersionNumber: Int
    let persistedRow: RowRef?
    /// Whether the program has changed the object, and not just what the save has made of others' changes.
    let isOfOwnChange: Bool
    /// The values that the object had when the conflict was found.
    private let mine: [String: Any]

    /// Makes a conflict of what both sides have.
    public init(
        source: NSManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?,
        persistedSnapshot: [String: Any]?
    ) {
        sourceObject = source
        objectSnapshot = source.storedSnapshot ?? source.currentSnapshot()
        newVersionNumber = newVersion
        oldVersionNumber = oldVersion
        self.cachedSnapshot = cachedSnapshot
        self.persistedSnapshot = persistedSnapshot
        persistedRow = nil
        isOfOwnChange = true
        mine = source.currentSnapshot()
    }

    init(_ conflict: StoreConflict, isOfOwnChange: Bool = true) {
        sourceObject = conflict.object
        self.isOfOwnChange = isOfOwnChange
        persistedRow = conflict.persisted
        mine = conflict.object.currentSnapshot()
        objectSnapshot = conflict.object.storedSnapshot
        let theirs = conflict.persisted.map { conflict.object.snapshotDictionary(of: $0) }
        let isKnownToCoordinator = conflict.isKnownToCoordinator
        cachedSnapshot = isKnownToCoordinator ? theirs : objectSnapshot
        persistedSnapshot = isKnownToCoordinator ? nil : theirs
        oldVersionNumber = Int(conflict.object.snapshotVersion)
        newVersionNumber = Int(conflict.persisted?.version ?? 0)
    }

    /// The object, its versions, and the values of all sides.
    open override var description: String {
        "NSMergeConflict for \(sourceObject.objectID.uriRepresentation().absoluteString) (\(sourceObject.layout.name)): "
            + "read at version \(oldVersionNumber), now "
            + (newVersionNumber == 0 ? "deleted" : "at version \(newVersionNumber)")
            + "; base = \(text(objectSnapshot)), mine = \(text(mine)), theirs = \(text(theirs))"
    }

    /// The values that another context or process has saved.
    private var theirs: [String: Any]? {
        newVersionNumber == 0 ? nil : persistedSnapshot ?? cachedSnapshot
    }

    private func text(_ snapshot: [String: Any]?) -> String {
        guard let snapshot else { return "none" }
        let values = snapshot.sorted { $0.key < $1.key }.map { name, value in
            "\(name): \(PrintedValue.text(of: value))"
        }
        return "{\(values.joined(separator: ", "))}"
    }
}

extension NSManagedObject {
    /// Attributes and to-one IDs as the object has them now.
    final func currentSnapshot() -> [String: Any] {
        snapshotValues { storedField($0) }
    }

    /// Attributes and to-one IDs as they were read or saved last; nil for an object that was never saved.
    final var storedSnapshot: [String: Any]? { snapshot.map(snapshotDictionary) }

    /// Attributes and to-one IDs of a row of this object.
    final func snapshotDictionary(of row: RowRef) -> [String: Any] {
        snapshotValues { row.page.value(row.row, $0) }
    }

    private func snapshotValues(_ field: (PropertyLayout) -> FieldValue) -> [String: Any] {
        var values: [String: Any] = [:]
        for property in layout.properties where property.rowSlot >= 0 || property.kind == .composite {
            if property.kind == .composite {
                values[property.name] = property.composed { field($0).anyValue(of: $0) } ?? NSNull()
                continue
            }
            switch field(property) {
            case .reference(let key):
                if key.handle == StoreRowBuilder.unread { continue }
                let layout = layout.model.entities[Int(key.entityIndex)]
                let domain =
                    TemporaryIdentity.isTemporary(key.handle)
                    ? unsavedIdentity(of: key.handle) : registry.identityDomain(at: storeIndex)
                values[property.name] = NSManagedObjectID(layout: layout, handle: key.handle, in: domain)
            case let value: values[property.name] = value.anyValue(of: property) ?? NSNull()
            }
        }
        return values
    }
}
