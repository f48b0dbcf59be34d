import Foundation

// Safe: its values are constants; a managed object in one is used on its context's queue.
/// The value of one slot of a changed object, unboxed.
@_spi(Engine) public enum FieldValue: @unchecked Sendable {
    case null
    /// Integers and booleans.
    case int(Int64)
    /// Doubles, floats, and dates as seconds since 1 January 2001.
    case double(Double)
    /// A string attribute's value.
    case string(String)
    /// A binary attribute's value, or the archived form of a transformable where it comes from a row.
    case data(Data)
    /// A UUID attribute's value.
    case uuid(UUID)
    /// A decimal attribute's value.
    case decimal(Decimal)
    /// A to-one whose destination has a permanent identity in the same store.
    case reference(ObjectKey)
    /// The destination of a to-one as the object graph has it, which alone knows the class; no store is handed this.
    case destination(AnyObject)
    /// A transformable's value, a URL or an object ID.
    case object(BoxedValue)

    /// Whether there is no value.
    @inlinable
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// Whether a row holds the value as it is, without the object graph that knows keys and classes.
    package var isPlain: Bool {
        switch self {
        case .null, .int, .double, .string, .data, .uuid, .decimal: true
        case .reference, .destination, .object: false
        }
    }

    /// Whether the value is the bits of its case, and refers to no memory.
    fileprivate var isBits: Bool {
        switch self {
        case .null, .int, .double, .uuid, .decimal, .reference: true
        case .string, .data, .destination, .object: false
        }
    }
}

extension ContiguousArray<FieldValue> {
    /// The same values in memory of their own. Most rows of new objects are numbers and nulls, whose bytes are copied at once.
    package var separateCopy: ContiguousArray<FieldValue> {
        withUnsafeBufferPointer { values in
            // Every empty array is the same memory, which no thread may write to.
            guard let first = values.baseAddress, !values.isEmpty, values.allSatisfy(\.isBits) else { return self }
            return ContiguousArray(unsafeUninitializedCapacity: values.count) { copy, count in
                UnsafeMutableRawPointer(copy.baseAddress!)
                    .copyMemory(from: first, byteCount: values.count * MemoryLayout<FieldValue>.stride)
                count = values.count
            }
        }
    }
}

// Safe: constant; what is in it is given to clients, who mustn't change it.
/// A value of any type in a box, which keeps ``FieldValue`` small.
@_spi(Engine) public final class BoxedValue: @unchecked Sendable {
    /// The value in the box, which must not be changed.
    public let value: Any
    /// Puts a value into a box.
    @inlinable
    public init(_ value: Any) { self.value = value }
}
