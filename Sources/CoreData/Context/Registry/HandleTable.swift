/// A hash table from handles to objects that it doesn't own: open addressing, no allocation an entry.
struct HandleTable: ~Copyable {
    private struct Entry {
        var handle: Int64
        var object: UnsafeMutableRawPointer?
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private(set) var count = 0
    /// Entries that are in use or were; decides when to rebuild.
    private var occupied = 0

    private static var tombstone: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 1)! }

    init() {
        mask = 15
        entries = Self.emptyEntries(16)
    }

    deinit { entries.deallocate() }

    /// Handles mostly come in runs: sixteen neighbours share a stretch of memory, and the stretches are scattered by
    /// Fibonacci hashing.
    @inline(__always)
    private func slot(of handle: Int64) -> Int {
        let stretch = (UInt64(bitPattern: handle) >> 4 &* 0x9E37_79B9_7F4A_7C15) >> 20
        return Int(truncatingIfNeeded: stretch << 4 | UInt64(bitPattern: handle) & 15) & mask
    }

    @inline(__always)
    func object(for handle: Int64) -> UnsafeMutableRawPointer? {
        var index = slot(of: handle)
        while let object = entries[index].object {
            if entries[index].handle == handle, object != Self.tombstone { return object }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Sets the object of a handle, and returns what was there.
    @discardableResult
    mutating func set(_ object: UnsafeMutableRawPointer, for handle: Int64) -> UnsafeMutableRawPointer? {
        if (occupied + 1) * 4 > (mask + 1) * 3 { rebuild(capacity: max(16, (count + 1) * 2)) }
        var index = slot(of: handle)
        var free: Int?
        while let present = entries[index].object {
            if present == Self.tombstone {
                if free == nil { free = index }
            } else if entries[index].handle == handle {
                entries[index].object = object
                return present
            }
            index = (index + 1) & mask
        }
        if free == nil { occupied += 1 }
        entries[free ?? index] = Entry(handle: handle, object: object)
        count += 1
        return nil
    }

    /// Removes a handle if it still stands for this object; false when it doesn't.
    @discardableResult
    mutating func remove(_ object: UnsafeMutableRawPointer, for handle: Int64) -> Bool {
        var index = slot(of: handle)
        while let present = entries[index].object {
            if entries[index].handle == handle, present != Self.tombstone {
                guard present == object else { return false }
                entries[index].object = Self.tombstone
                count -= 1
                return true
            }
            index = (index + 1) & mask
        }
        return false
    }

    mutating func reserve(_ additional: Int) {
        if (occupied + additional) * 4 > (mask + 1) * 3 { rebuild(capacity: (count + additional) * 2) }
    }

    func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
        for index in 0...mask {
            if let object = entries[index].object, object != Self.tombstone { body(object) }
        }
    }

    private mutating func rebuild(capacity wanted: Int) {
        var capacity = 16
        while capacity < wanted { capacity *= 2 }
        let (oldEntries, oldMask) = (entries, mask)
        entries = Self.emptyEntries(capacity)
        mask = capacity - 1
        for index in 0...oldMask {
            guard let object = oldEntries[index].object, object != Self.tombstone else { continue }
            var target = slot(of: oldEntries[index].handle)
            while entries[target].object != nil { target = (target + 1) & mask }
            entries[target] = oldEntries[index]
        }
        occupied = count
        oldEntries.deallocate()
    }

    private static func emptyEntries(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(handle: 0, object: nil), count: capacity)
        return entries
    }
}
