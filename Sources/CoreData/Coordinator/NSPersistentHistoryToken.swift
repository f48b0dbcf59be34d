import Foundation
import FoundationCompat

// Safe: nothing of it changes once it is made.
/// A place in the history of one or more stores: the last transaction that its holder has seen.
///
/// Opaque. Keep it with a keyed archiver. Tokens are equal that name the same transactions of the same stores
/// (Apple: NSPersistentHistoryToken).
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number of the last transaction by the store's identifier.
    let transactionNumbers: [String: Int64]

    /// Makes the place at the beginning of every store's history, as doubles in tests need.
    public override init() {
        transactionNumbers = [:]
        super.init()
    }

    package init(_ transactionNumbers: [String: Int64]) {
        self.transactionNumbers = transactionNumbers
        super.init()
    }

    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool { true }

    private static let numbersKey = "transactionNumbers"

    /// Writes the numbers by store identifier, as JSON (our choice: Apple's form isn't documented).
    open func encode(with coder: NSCoder) {
        // As bytes, and not as an object: Foundation on Linux ends the program where an archive has an object of another class.
        guard let data = try? JSONEncoder().encode(transactionNumbers) else {
            preconditionFailure("Numbers by text are always JSON.")
        }
        data.withUnsafeBytes { bytes in
            coder.encodeBytes(
                bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count, forKey: Self.numbersKey)
        }
    }

    /// Reads a token that ``encode(with:)`` wrote; nil where the data is not one.
    public required init?(coder: NSCoder) {
        let data = coder.withDecodedUnsafeBufferPointer(forKey: Self.numbersKey) { $0.map { Data($0) } }
        // Bytes of any kind may be there, which are no token then.
        guard let data, let numbers = try? JSONDecoder().decode([String: Int64].self, from: data) else { return nil }
        transactionNumbers = numbers
        super.init()
    }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both are the same place in the history of the same stores.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.transactionNumbers == transactionNumbers
    }

    /// A hash that equal objects share.
    open override var hash: Int { transactionNumbers.hashValue }

    /// The number of the last transaction of each store.
    open override var description: String {
        let numbers = transactionNumbers.sorted { $0.key < $1.key }.map { "\"\($0.key)\" = \($0.value);" }
        return "<NSPersistentHistoryToken - {\(numbers.joined(separator: " "))}>"
    }
}

extension NSPersistentHistoryToken: PredicateOrderedObject {
    /// A token is behind another one if it is further in a store that both name, and in none less far.
    package func predicateOrder(to other: Any) -> ComparisonResult? {
        guard let other = other as? NSPersistentHistoryToken else { return nil }
        if transactionNumbers == other.transactionNumbers { return .orderedSame }
        let orders = transactionNumbers.compactMap { store, number in
            other.transactionNumbers[store].map { number < $0 ? -1 : number > $0 ? 1 : 0 }
        }
        guard let least = orders.min(), let most = orders.max(), least >= 0 || most <= 0 else { return nil }
        return most > 0 ? .orderedDescending : least < 0 ? .orderedAscending : .orderedSame
    }
}
