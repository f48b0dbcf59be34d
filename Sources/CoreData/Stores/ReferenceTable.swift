import Foundation

/// The handles of a store's reference objects.
///
/// Identities in the object graph are numbers. Whole numbers that aren't negative stand for themselves; any other reference
/// object gets a number of its own, which holds as long as the store is open.
final class ReferenceTable: @unchecked Sendable {
    private let lock = NSLock()
    private var handles: [Reference: Int64] = [:]
    private var references: [Int64: Any] = [:]
    /// Far above what stores count up to.
    private static let firstInterned: Int64 = 1 << 56

    private struct Reference: Hashable {
        let rootIndex: Int
        let value: AnyHashable
    }

    func handle(of reference: Any, in layout: EntityLayout) -> Int64 {
        if let number = Self.wholeNumber(reference) { return number }
        guard let value = Self.plain(reference) else {
            fatalError("A reference object must be hashable, such as a string, a number or a UUID: \(reference)")
        }
        return lock.withLock {
            let key = Reference(rootIndex: layout.root.index, value: value)
            if let handle = handles[key] { return handle }
            let handle = Self.firstInterned + Int64(handles.count)
            handles[key] = handle
            references[handle] = reference
            return handle
        }
    }

    /// Whether a value can stand for an object.
    static func canRefer(_ reference: Any) -> Bool { plain(reference) != nil }

    func reference(of handle: Int64) -> Any {
        if handle < Self.firstInterned { return NSNumber(value: handle) }
        guard let reference = lock.withLock({ references[handle] }) else {
            fatalError("The object ID belongs to another store.")
        }
        return reference
    }

    /// Equal references in one form, whether they came as Swift's types or Foundation's.
    private static func plain(_ reference: Any) -> AnyHashable? {
        if let text = reference as? String { return text }
        if let uuid = reference as? UUID { return uuid }
        guard let number = reference as? NSNumber else { return reference as? AnyHashable }
        if let whole = exactInteger(number) { return whole }
        return number.doubleValue
    }

    private static func wholeNumber(_ reference: Any) -> Int64? {
        guard !(reference is String), let number = reference as? NSNumber, let whole = exactInteger(number) else {
            return nil
        }
        return whole >= 0 && whole < firstInterned ? whole : nil
    }

    private static func exactInteger(_ number: NSNumber) -> Int64? {
        if let whole = number as? Int64 { return whole }
        return Int64(exactly: number.doubleValue)
    }

    // MARK: Text in URIs

    /// A number or UUID as it is; a string too, with an apostrophe before it where it could be taken for one of those.
    func text(of handle: Int64) -> String {
        switch reference(of: handle) {
        case let uuid as UUID: return uuid.uuidString
        case let text as String: return Self.isAmbiguous(text) ? "'\(text)" : text
        case let other: return "\(other)"
        }
    }

    func handle(ofText text: String, in layout: EntityLayout) -> Int64 {
        if text.hasPrefix("'") { return handle(of: String(text.dropFirst()), in: layout) }
        if let number = Int64(text) { return handle(of: NSNumber(value: number), in: layout) }
        if let number = Double(text) { return handle(of: NSNumber(value: number), in: layout) }
        if let uuid = UUID(uuidString: text) { return handle(of: uuid, in: layout) }
        return handle(of: text, in: layout)
    }

    private static func isAmbiguous(_ text: String) -> Bool {
        text.isEmpty || text.hasPrefix("'") || Double(text) != nil || UUID(uuidString: text) != nil
    }
}
