@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// Safe: what changes is behind a lock.
/// The handles of a store's reference objects.
///
/// Identities in the object graph are numbers. Whole numbers that aren't negative stand for themselves; any other reference
/// object has a number of its own, which holds as long as the store or an identity of its objects is there.
final class ReferenceTable: @unchecked Sendable {
    private let lock = NSLock()
    private var known: [Int64: InternedReference] = [:]

    func handle(of reference: Any) -> Int64 {
        if let number = Self.wholeNumber(reference) { return number }
        guard let value = Self.plain(reference) else {
            fatalError("A reference object must be hashable, such as a string, a number or a UUID: \(reference)")
        }
        let interned = InternedReference.of(reference, value: value)
        lock.withLock { known[interned.handle] = interned }
        return interned.handle
    }

    /// Whether a value can stand for an object.
    static func canRefer(_ reference: Any) -> Bool { plain(reference) != nil }

    func reference(of handle: Int64) -> Any {
        if handle < InternedReference.firstHandle { return NSNumber(value: handle) }
        // An identity of before the store was added again, or of another coordinator's, may be news to this table.
        guard let interned = lock.withLock({ known[handle] }) ?? InternedReference.with(handle: handle) else {
            fatalError("The object ID belongs to another store.")
        }
        return interned.reference
    }

    // MARK: Object IDs

    /// The object ID for a reference object of a store whose table this is.
    func objectID(
        for entity: NSEntityDescription, reference: Any, in store: NSPersistentStore
    ) -> NSManagedObjectID {
        guard let layout = store.persistentStoreCoordinator?.layout.layout(of: entity) else {
            fatalError("The entity \(entity.name ?? "") isn't in the model of the store's coordinator.")
        }
        return NSManagedObjectID(layout: layout, handle: handle(of: reference), store: store)
    }

    /// The reference object that an ID of the store stands for.
    func reference(for objectID: NSManagedObjectID, in store: NSPersistentStore) -> Any {
        guard objectID.belongs(to: store) else {
            fatalError("The object ID \(objectID) doesn't belong to this store.")
        }
        return reference(of: objectID.handle)
    }

    /// Equal references in one form, whether they came as Swift's types or Foundation's.
    private static func plain(_ reference: Any) -> AnyHashable? {
        if let text = reference as? String { return text }
        if let uuid = reference as? UUID { return uuid }
        guard let number = reference as? NSNumber else { return reference as? AnyHashable }
        if let whole = exactInteger(number) { return whole }
        if let unsigned = exactUnsigned(number) { return unsigned }
        return number.doubleValue
    }

    private static func wholeNumber(_ reference: Any) -> Int64? {
        guard !(reference is String), let number = reference as? NSNumber, let whole = exactInteger(number) else {
            return nil
        }
        return whole >= 0 && whole < InternedReference.firstHandle ? whole : nil
    }

    private static func exactInteger(_ number: NSNumber) -> Int64? {
        if let whole = number as? Int64 { return whole }
        return exactUnsigned(number) == nil ? Int64(exactly: number.doubleValue) : nil
    }

    /// One above all signed ones, which a floating-point number would only be near.
    private static func exactUnsigned(_ number: NSNumber) -> UInt64? { UInt64(number.stringValue) }

    // MARK: Text in URIs

    /// A number or UUID as it is; a string too, with an apostrophe before it where it could be taken for one of those.
    func text(of handle: Int64) -> String {
        switch reference(of: handle) {
        case let uuid as UUID: return uuid.uuidString
        case let text as String: return Self.isAmbiguous(text) ? "'\(text)" : text
        case let other: return "\(other)"
        }
    }

    func handle(ofText text: String) -> Int64 {
        if text.hasPrefix("'") { return handle(of: String(text.dropFirst())) }
        if let number = Int64(text) { return handle(of: NSNumber(value: number)) }
        if let number = UInt64(text) { return handle(of: NSNumber(value: number)) }
        if let number = Double(text) { return handle(of: NSNumber(value: number)) }
        if let uuid = UUID(uuidString: text) { return handle(of: uuid) }
        return handle(of: text)
    }

    private static func isAmbiguous(_ text: String) -> Bool {
        text.isEmpty || text.hasPrefix("'") || Double(text) != nil || UUID(uuidString: text) != nil
    }
}
