/// A hash table from handles to small values: open addressing, no allocation an entry, and none before the first one.
///
/// Handles mostly come in runs: sixteen neighbours share a stretch of the memory, in an order of its own, and the stretches are
/// scattered by Fibonacci hashing, whose upper bits keep those of a run apart.
struct HandleMap<Value: BitwiseCopyable>: ~Copyable {
    private struct Entry {
        var handle: Int64
        /// Nil in an entry that is free: one that never was in use, or one with the handle ``HandleMap/removed``.
        var value: Value?
    }

    private var entries: UnsafeMutablePointer<Entry>?
    private var mask = -1
    /// What is left of a hash is a place.
    private var shift: UInt64 = 63
    /// How many handles have a value.
    private(set) var count = 0
    /// Entries that are in use or were; decides when to rebuild.
    private var occupied = 0

    private static var removed: Int64 { .min }
    private static var leastCapacity: Int { 32 }

    init() {}

    deinit { entries?.deallocate() }

    private func index(of handle: Int64) -> Int {
        let bits = UInt64(bitPattern: handle)
        let place = (bits &>> 4 &* 0x9E37_79B9_7F4A_7C15) &>> shift
        return Int(truncatingIfNeeded: place ^ bits & 15)
    }

    /// The value of a handle.
    subscript(_ handle: Int64) -> Value? {
        guard let entries, count > 0 else { return nil }
        var index = index(of: handle)
        while true {
            let entry = entries[index]
            if let value = entry.value {
                if entry.handle == handle { return value }
            } else if entry.handle != Self.removed {
                return nil
            }
            index = (index &+ 1) & mask
        }
    }

    /// Sets the value of a handle, and returns what was there.
    @discardableResult
    mutating func set(_ value: Value, for handle: Int64) -> Value? {
        if (occupied &+ 1) &* 4 > (mask &+ 1) &* 3 { grow(by: 1) }
        let entries = entries.unsafelyUnwrapped
        var index = index(of: handle)
        var free = -1
        while true {
            if let present = entries[index].value {
                if entries[index].handle == handle {
                    entries[index].value = value
                    return present
                }
            } else if entries[index].handle != Self.removed {
                break
            } else if free < 0 {
                free = index
            }
            index = (index &+ 1) & mask
        }
        if free < 0 {
            occupied &+= 1
            free = index
        }
        entries[free] = Entry(handle: handle, value: value)
        count &+= 1
        return nil
    }

    /// Removes the value of a handle if it is one that the caller wants to go, and returns whether it was.
    mutating func remove(_ handle: Int64, where isWanted: (Value) -> Bool) -> Bool {
        guard let entries, count > 0 else { return false }
        var index = index(of: handle)
        while true {
            if let present = entries[index].value {
                if entries[index].handle == handle {
                    guard isWanted(present) else { return false }
                    free(index, in: entries)
                    count &-= 1
                    return true
                }
            } else if entries[index].handle != Self.removed {
                return false
            }
            index = (index &+ 1) & mask
        }
    }

    /// An entry that no search goes on from is as one that never was in use, and so are those removed before it.
    private mutating func free(_ index: Int, in entries: UnsafeMutablePointer<Entry>) {
        let next = entries[(index &+ 1) & mask]
        guard next.value == nil, next.handle != Self.removed else {
            entries[index] = Entry(handle: Self.removed, value: nil)
            return
        }
        var index = index
        repeat {
            entries[index] = Entry(handle: 0, value: nil)
            occupied &-= 1
            index = (index &- 1) & mask
        } while entries[index].value == nil && entries[index].handle == Self.removed
    }

    /// Makes room for so many more.
    mutating func reserve(_ additional: Int) {
        if (occupied + additional) * 4 > (mask + 1) * 3 { grow(by: additional) }
    }

    func forEach(_ body: (Int64, Value) -> Void) {
        guard let entries else { return }
        for index in 0...mask {
            if let value = entries[index].value { body(entries[index].handle, value) }
        }
    }

    private mutating func grow(by additional: Int) {
        var capacity = Self.leastCapacity
        while capacity < (count + additional) * 2 { capacity *= 2 }
        let (oldEntries, oldMask) = (entries, mask)
        let made = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        made.initialize(repeating: Entry(handle: 0, value: nil), count: capacity)
        entries = made
        mask = capacity - 1
        shift = UInt64(64 - capacity.trailingZeroBitCount)
        occupied = count
        guard let oldEntries else { return }
        for old in 0...oldMask where oldEntries[old].value != nil {
            var index = index(of: oldEntries[old].handle)
            while made[index].value != nil { index = (index + 1) & mask }
            made[index] = oldEntries[old]
        }
        oldEntries.deallocate()
    }
}
