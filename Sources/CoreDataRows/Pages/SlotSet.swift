/// A set of small numbers, without an allocation for the first 64.
@_spi(Engine) public struct SlotSet {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: [UInt64] = []

    /// Makes an empty set.
    @inlinable
    public init() {}

    /// Whether the set has no number.
    @inlinable
    public var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    /// Whether a number, which mustn't be negative, is in the set.
    @inlinable
    public func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    /// Adds a number, which mustn't be negative. The first one from 64 on allocates.
    @inlinable @inline(__always)
    public mutating func insert(_ slot: Int) {
        if slot < 64 {
            low |= 1 &<< UInt64(truncatingIfNeeded: slot)
        } else {
            insertHigh(slot)
        }
    }

    @usableFromInline
    mutating func insertHigh(_ slot: Int) {
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot % 64)
    }

    /// Takes a number out, if it is in the set.
    @inlinable
    public mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
        } else if slot / 64 - 1 < high.count {
            high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
        }
    }
}
