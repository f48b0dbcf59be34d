import Dispatch
import Foundation
import Synchronization

// Safe: one thread fills it before another sees it; what changes later is behind locks or atomic.
/// Up to 512 rows as a store delivered them: eight-byte slots, a null mask a row, and one arena for bytes.
///
/// A page is filled by one thread and immutable from then on; objects, contexts and the row cache share it. No value
/// has a box of its own: strings and data lie in the arena until they are read.
@_spi(Engine) public final class RowPage: @unchecked Sendable {
    package static let defaultCapacity = 512
    /// A page counts as full when its arena has more bytes, so that a large row isn't kept in memory by many small
    /// neighbours.
    @usableFromInline static var arenaLimit: Int { 1 << 20 }

    /// How many slots of eight bytes each row has, whatever its entity.
    @_spi(Engine) public let slotCount: Int
    // Safe: only the thread that fills the page changes these.
    @exclusivity(unchecked) @usableFromInline private(set) var rowCount = 0
    /// How many rows the page has. It grows only while the page is filled.
    @inlinable
    @_spi(Engine) public var count: Int { rowCount }
    @exclusivity(unchecked) @usableFromInline package private(set) var capacity: Int
    private let model: ModelLayout

    /// Words a row: handle, version and entity, null mask, slots.
    @usableFromInline let stride: Int
    @usableFromInline let maskWords: Int
    @usableFromInline let slotBase: Int
    // Safe: only the thread that fills the page changes it.
    @exclusivity(unchecked) @usableFromInline var words: UnsafeMutablePointer<UInt64>

    private var arena: UnsafeMutableRawPointer?
    private var arenaCapacity = 0
    // Safe: only the thread that fills the page changes it.
    @exclusivity(unchecked) @usableFromInline private(set) var arenaCount = 0

    private let attachments = Mutex(Attachments())

    /// What belongs to the page beyond the values in slots and arena.
    private struct Attachments {
        /// Values of object ID attributes, by row and slot: an ID of any store has no form in bytes.
        var objectIDs: [Int: BoxedValue] = [:]
        /// To-many destinations by row and property.
        var destinations: [Int: [ObjectKey]] = [:]
        /// Pages that were read together with this one, and are retained as long as it is.
        var companions: [RowPage] = []
        /// The temporary identities that rows lead to.
        var identities: [any AnyObject & Sendable] = []
    }

    // Safe: the thread that has filled the page sets the first before others see it; the second is used with the cache's lock held.
    /// The cache that lists the page, and where; the cache's lock guards them.
    @exclusivity(unchecked) package var cache: RowCache?
    @exclusivity(unchecked) var cacheIndex = -1

    /// The object graph's plan for reading the values, for a page whose rows are identities only.
    package let readingPlan: AnyObject?

    @usableFromInline static var entityBits: UInt64 { 16 }
    /// Version and entity share a word.
    package static let highestVersion = UInt64(1) << 47 - 1

    private let readAt = DispatchTime.now().uptimeNanoseconds
    /// For how many seconds the rows have been in memory.
    package var age: Double { Double(DispatchTime.now().uptimeNanoseconds &- readAt) / 1e9 }

    private let superseded = Atomic(false)

    /// Whether newer rows of some of the objects may be in memory. False means that there are none.
    package var mayHaveSuccessors: Bool { superseded.load(ordering: .acquiring) }

    /// Records that another page may have newer rows of the same objects.
    func markSuperseded() { superseded.store(true, ordering: .releasing) }

    package convenience init(model: ModelLayout, slotCount: Int, capacity: Int = RowPage.defaultCapacity) {
        self.init(model: model, slotCount: slotCount, capacity: capacity, readingPlan: nil)
    }

    /// A page of identities, whose values are to be read.
    package convenience init(identities keys: [ObjectKey], model: ModelLayout, readingPlan: AnyObject) {
        self.init(model: model, slotCount: 0, capacity: keys.count, readingPlan: readingPlan)
        for key in keys { appendRow(handle: key.handle, entityIndex: Int(key.entityIndex), version: 0) }
    }

    private init(model: ModelLayout, slotCount: Int, capacity: Int, readingPlan: AnyObject?) {
        self.model = model
        self.slotCount = slotCount
        self.readingPlan = readingPlan
        self.capacity = max(1, capacity)
        maskWords = (slotCount + 63) / 64
        slotBase = 2 + maskWords
        stride = slotBase + slotCount
        words = .allocate(capacity: self.capacity * stride)
    }

    deinit {
        // First of all: until the cache has forgotten the page, another thread may look into its rows.
        cache?.forget(self)
        words.deallocate()
        arena?.deallocate()
    }

    /// Whether the next row should go to a new page: as many rows as there is room for, or 1 MB of strings and data.
    @inlinable
    @_spi(Engine) public var isFull: Bool { count == capacity || arenaCount >= Self.arenaLimit }

    // MARK: What came along

    /// The destinations of a to-many relationship, if the store has given them before.
    package func destinations(of property: PropertyLayout, row: Int) -> [ObjectKey]? {
        attachments.withLock { $0.destinations.isEmpty ? nil : $0.destinations[row << 32 | property.index] }
    }

    /// Keeps the destinations of a to-many relationship for all objects that share the row.
    package func setDestinations(_ keys: [ObjectKey], of property: PropertyLayout, row: Int) {
        attachments.withLock { $0.destinations[row << 32 | property.index] = keys }
    }

    /// Retains pages as long as this one lives. They must be younger than this page, or have no companions: a cycle of
    /// pages would never be released.
    package func keep(_ pages: [RowPage]) {
        attachments.withLock { $0.companions += pages }
    }

    /// Retains the temporary identity of an object that a row leads to, as long as the page lives.
    package func keep(identity: any AnyObject & Sendable) {
        attachments.withLock { $0.identities.append(identity) }
    }

    // MARK: Filling

    /// Begins a row in which every slot is null.
    package func appendRow(handle: Int64, entityIndex: Int, version: Int64) {
        if count == capacity { grow() }
        let row = words + count * stride
        row[0] = UInt64(bitPattern: handle)
        row[1] = UInt64(bitPattern: version) << Self.entityBits | UInt64(entityIndex)
        for word in 0..<maskWords { row[2 + word] = .max }
        rowCount += 1
    }

    /// Releases the memory that a page with few rows doesn't need.
    package func shrink() {
        guard count < capacity, count > 0 else { return }
        let fitting = UnsafeMutablePointer<UInt64>.allocate(capacity: count * stride)
        fitting.update(from: words, count: count * stride)
        words.deallocate()
        words = fitting
        capacity = count
    }

    private func grow() {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2 * stride)
        larger.update(from: words, count: count * stride)
        words.deallocate()
        words = larger
        capacity *= 2
    }

    @inlinable @inline(__always)
    func set(_ slot: Int, _ bits: UInt64) {
        precondition(slot >= 0 && slot < slotCount)
        let row = words + (count - 1) * stride
        row[2 + slot >> 6] &= ~(1 << UInt64(slot & 63))
        row[slotBase + slot] = bits
    }

    /// Where the last row lies, for a store's loop whose slots are known to be valid. Valid until the next row is
    /// appended.
    @inlinable @inline(__always)
    @_spi(Engine) public var lastRow: LastRow {
        let row = words + (count - 1) * stride
        return LastRow(mask: row + 2, slots: row + slotBase)
    }

    /// Where the last row lies. Its setters check nothing; a slot that is out of range damages memory.
    @_spi(Engine) public struct LastRow {
        @usableFromInline let mask: UnsafeMutablePointer<UInt64>
        @usableFromInline let slots: UnsafeMutablePointer<UInt64>

        @usableFromInline
        init(mask: UnsafeMutablePointer<UInt64>, slots: UnsafeMutablePointer<UInt64>) {
            self.mask = mask
            self.slots = slots
        }

        /// Sets a slot, which is no longer null from then on. Unchecked.
        @inlinable @inline(__always)
        public func set(_ slot: Int, _ bits: UInt64) {
            mask[slot >> 6] &= ~(1 << UInt64(slot & 63))
            slots[slot] = bits
        }
    }

    /// Sets a slot of the last row to an integer, or to a truth value as 0 or 1.
    @inlinable @inline(__always)
    @_spi(Engine) public func setInt(_ slot: Int, _ value: Int64) { set(slot, UInt64(bitPattern: value)) }

    /// Sets a slot of the last row to a floating-point number, or to a date in seconds since 2001.
    @inlinable @inline(__always)
    @_spi(Engine) public func setDouble(_ slot: Int, _ value: Double) { set(slot, value.bitPattern) }

    /// Sets a string (UTF-8), a URI's text, data, or the archived form of a transformable.
    package func setBytes(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        let offset = append(bytes)
        set(slot, UInt64(offset) << 32 | UInt64(bytes.count))
    }

    package func setString(_ slot: Int, _ string: String) {
        var string = string
        string.withUTF8 { setBytes(slot, UnsafeRawBufferPointer($0)) }
    }

    package func setUUID(_ slot: Int, _ uuid: UUID) {
        withUnsafeBytes(of: uuid.uuid) { setBytes(slot, $0) }
    }

    package func setDecimal(_ slot: Int, _ decimal: Decimal) {
        withUnsafeBytes(of: decimal) { setBytes(slot, $0) }
    }

    /// Sets the two slots of a to-one relationship in the last row to the identity of its destination.
    @inlinable
    @_spi(Engine) public func setReference(_ slot: Int, handle: Int64, entityIndex: Int) {
        set(slot, UInt64(bitPattern: handle))
        set(slot + 1, UInt64(entityIndex))
    }

    /// Sets a slot from a value of the graph; an object that no row can hold is left null.
    package func setValue(_ value: FieldValue, of property: PropertyLayout) {
        let slot = property.rowSlot
        switch value {
        case .null: break
        case .reference(let key): setReference(slot, handle: key.handle, entityIndex: Int(key.entityIndex))
        case .object(let box):
            if let url = box.value as? URL {
                setString(slot, url.absoluteString)
            } else if property.kind == .objectID {
                let row = count - 1
                set(slot, 0)
                attachments.withLock { $0.objectIDs[row << 32 | slot] = box }
            }
        case .destination: preconditionFailure("a row holds keys, not objects")
        default:
            precondition(slot >= 0 && slot < slotCount)
            _ = setPlain(value, slot, lastRow)
        }
    }

    /// Sets the slots of the last row to those of an object's values that are plain.
    ///
    /// - Returns: whether these were all; the others, keys and objects, are left null.
    package func setPlainValues(_ values: UnsafeBufferPointer<FieldValue>) -> Bool {
        precondition(values.count <= slotCount)
        let row = lastRow
        var areAll = true
        for slot in values.indices where !setPlain(values[slot], slot, row) { areAll = false }
        return areAll
    }

    /// Sets a slot, which is known to be valid, to a value that is no key and no object.
    ///
    /// - Returns: false where it is one; the slot is left null then.
    @inline(__always)
    private func setPlain(_ value: FieldValue, _ slot: Int, _ row: LastRow) -> Bool {
        switch value {
        case .null: break
        case .int(let value): row.set(slot, UInt64(bitPattern: value))
        case .double(let value): row.set(slot, value.bitPattern)
        case .string(let value): setString(slot, value)
        case .data(let value): value.withUnsafeBytes { setBytes(slot, $0) }
        case .uuid(let value): setUUID(slot, value)
        case .decimal(let value): setDecimal(slot, value)
        case .reference, .destination, .object: return false
        }
        return true
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let offset = arenaCount
        precondition(bytes.count <= Int(UInt32.max) && offset <= Int(UInt32.max), "a row page holds at most 4 GB")
        if offset + bytes.count > arenaCapacity {
            let capacity = max(arenaCapacity * 2, offset + bytes.count, 64)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
            if let arena {
                larger.copyMemory(from: arena, byteCount: arenaCount)
                arena.deallocate()
            }
            arena = larger
            arenaCapacity = capacity
        }
        if let base = bytes.baseAddress, bytes.count > 0 {
            (arena! + offset).copyMemory(from: base, byteCount: bytes.count)
        }
        arenaCount = offset + bytes.count
        return offset
    }

    // MARK: Reading

    @inlinable @inline(__always)
    func word(_ row: Int, _ index: Int) -> UInt64 {
        assert(row >= 0 && row < count)
        return words[row * stride + index]
    }

    /// The handle of a row's object; see ``ObjectKey``.
    @inlinable @inline(__always)
    @_spi(Engine) public func handle(_ row: Int) -> Int64 { Int64(bitPattern: word(row, 0)) }

    /// The index of a row's concrete entity in ``ModelLayout/entities``.
    @inlinable @inline(__always)
    @_spi(Engine) public func entityIndex(_ row: Int) -> Int { Int(word(row, 1) & ((1 << Self.entityBits) - 1)) }

    /// The version of a row as the store counts it (`Z_OPT` in a SQLite store).
    @inlinable @inline(__always)
    @_spi(Engine) public func version(_ row: Int) -> Int64 { Int64(bitPattern: word(row, 1)) >> Int64(Self.entityBits) }

    /// The identity of a row's object.
    @inlinable
    @_spi(Engine) public func key(_ row: Int) -> ObjectKey {
        ObjectKey(handle: handle(row), entityIndex: entityIndex(row))
    }

    package func layout(_ row: Int) -> EntityLayout { model.entities[entityIndex(row)] }

    /// Whether a slot of a row has no value. A slot beyond the page's has none.
    @inlinable @inline(__always)
    @_spi(Engine) public func isNull(_ row: Int, _ slot: Int) -> Bool {
        slot >= slotCount || word(row, 2 + slot >> 6) & (1 << UInt64(slot & 63)) != 0
    }

    /// The integer in a slot. Meaningless where the slot is null.
    @inlinable @inline(__always)
    @_spi(Engine) public func int(_ row: Int, _ slot: Int) -> Int64 { Int64(bitPattern: word(row, slotBase + slot)) }

    /// The floating-point number in a slot. Meaningless where the slot is null.
    @inlinable @inline(__always)
    @_spi(Engine) public func double(_ row: Int, _ slot: Int) -> Double {
        Double(bitPattern: word(row, slotBase + slot))
    }

    package func bytes(_ row: Int, _ slot: Int) -> UnsafeRawBufferPointer {
        let packed = word(row, slotBase + slot)
        let length = Int(packed & 0xFFFF_FFFF)
        guard length > 0, let arena else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: arena + Int(packed >> 32), count: length)
    }

    package func string(_ row: Int, _ slot: Int) -> String { String(decoding: bytes(row, slot), as: UTF8.self) }

    package func data(_ row: Int, _ slot: Int) -> Data { Data(bytes(row, slot)) }

    package func uuid(_ row: Int, _ slot: Int) -> UUID {
        UUID(uuid: bytes(row, slot).loadUnaligned(as: uuid_t.self))
    }

    package func decimal(_ row: Int, _ slot: Int) -> Decimal { bytes(row, slot).loadUnaligned(as: Decimal.self) }

    /// The identity in the two slots of a to-one relationship. Meaningless where the first is null.
    @inlinable
    @_spi(Engine) public func reference(_ row: Int, _ slot: Int) -> ObjectKey {
        ObjectKey(handle: int(row, slot), entityIndex: Int(word(row, slotBase + slot + 1)))
    }

    /// The value of a stored property. A transformable is given as its archived data.
    package func value(_ row: Int, _ property: PropertyLayout) -> FieldValue {
        let slot = property.rowSlot
        if slot < 0 || isNull(row, slot) { return .null }
        switch property.kind {
        case .int16, .int32, .int64, .bool: return .int(int(row, slot))
        case .double, .float, .date: return .double(double(row, slot))
        case .decimal: return .decimal(decimal(row, slot))
        case .string: return .string(string(row, slot))
        case .uri: return URL(string: string(row, slot)).map { .object(BoxedValue($0)) } ?? .null
        case .uuid: return .uuid(uuid(row, slot))
        case .data, .transformable: return .data(data(row, slot))
        case .toOne: return .reference(reference(row, slot))
        case .objectID: return attachments.withLock { $0.objectIDs[row << 32 | slot] }.map { .object($0) } ?? .null
        case .composite, .undefined, .toMany, .fetched: return .null
        }
    }
}
