/// A hash table from handles to objects that it doesn't own: open addressing, no allocation an entry.
struct HandleTable: ~Copyable {
    private var handles: UnsafeMutablePointer<Int64>
    private var objects: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private var mask: Int
    private(set) var count = 0
    /// Slots that are in use or were; decides when to rebuild.
    private var occupied = 0

    private static var tombstone: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 1)! }

    init() {
        mask = 15
        handles = .allocate(capacity: 16)
        objects = .allocate(capacity: 16)
        objects.initialize(repeating: nil, count: 16)
    }

    deinit {
        handles.deallocate()
        objects.deallocate()
    }

    @inline(__always)
    private func slot(of handle: Int64) -> Int {
        // Fibonacci hashing: handles mostly come in runs.
        Int(truncatingIfNeeded: (UInt64(bitPattern: handle) &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
    }

    @inline(__always)
    func object(for handle: Int64) -> UnsafeMutableRawPointer? {
        var index = slot(of: handle)
        while let object = objects[index] {
            if handles[index] == handle, object != Self.tombstone { return object }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Sets the object of a handle, whatever was there.
    mutating func set(_ object: UnsafeMutableRawPointer, for handle: Int64) {
        if (occupied + 1) * 4 > (mask + 1) * 3 { rebuild(capacity: max(16, (count + 1) * 2)) }
        var index = slot(of: handle)
        var free: Int?
        while let present = objects[index] {
            if present == Self.tombstone {
                if free == nil { free = index }
            } else if handles[index] == handle {
                objects[index] = object
                return
            }
            index = (index + 1) & mask
        }
        if free == nil { occupied += 1 }
        let target = free ?? index
        handles[target] = handle
        objects[target] = object
        count += 1
    }

    /// Removes a handle if it still stands for this object; false when it doesn't.
    @discardableResult
    mutating func remove(_ object: UnsafeMutableRawPointer, for handle: Int64) -> Bool {
        var index = slot(of: handle)
        while let present = objects[index] {
            if handles[index] == handle, present != Self.tombstone {
                guard present == object else { return false }
                objects[index] = Self.tombstone
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
            if let object = objects[index], object != Self.tombstone { body(object) }
        }
    }

    private mutating func rebuild(capacity wanted: Int) {
        var capacity = 16
        while capacity < wanted { capacity *= 2 }
        let (oldHandles, oldObjects, oldMask) = (handles, objects, mask)
        handles = .allocate(capacity: capacity)
        objects = .allocate(capacity: capacity)
        objects.initialize(repeating: nil, count: capacity)
        mask = capacity - 1
        for index in 0...oldMask {
            guard let object = oldObjects[index], object != Self.tombstone else { continue }
            var target = slot(of: oldHandles[index])
            while objects[target] != nil { target = (target + 1) & mask }
            handles[target] = oldHandles[index]
            objects[target] = object
        }
        occupied = count
        oldHandles.deallocate()
        oldObjects.deallocate()
    }
}
