/// The places of names, found by comparing bytes.
///
/// A dictionary hashes a string by its characters' canonical forms and with a random seed, which takes most of the time of
/// key-value coding. Here a name is found where its bytes are just those that it was entered with. The dictionary is asked for what
/// isn't found. It is a class, so that a look-up retains one thing rather than three.
final class NameTable: Sendable {
    private struct Entry {
        var hash: UInt64 = 0
        var start = 0
        var count = 0
        /// The place of the name; negative for an empty entry.
        var place = -1
    }

    /// At least half of them empty.
    private let entries: ContiguousArray<Entry>
    private let bytes: ContiguousArray<UInt8>
    private let placesByName: [String: Int]

    /// - Parameter placesByName: the names, with the number that ``place(of:)`` gives for each.
    init(_ placesByName: [String: Int]) {
        var capacity = 4
        while capacity < placesByName.count * 2 { capacity *= 2 }
        var entries = ContiguousArray(repeating: Entry(), count: capacity)
        var bytes: ContiguousArray<UInt8> = []
        for (name, place) in placesByName {
            let utf8 = ContiguousArray(name.utf8)
            let hash = utf8.withUnsafeBufferPointer(Self.hash)
            var slot = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while entries[slot].place >= 0 { slot = (slot + 1) & (capacity - 1) }
            entries[slot] = Entry(hash: hash, start: bytes.count, count: utf8.count, place: place)
            bytes += utf8
        }
        self.entries = entries
        self.bytes = bytes
        self.placesByName = placesByName
    }

    /// The number of a name; nil for one that isn't in the table.
    func place(of name: String) -> Int? {
        let found = name.utf8.withContiguousStorageIfAvailable { utf8 -> Int in
            let hash = Self.hash(utf8)
            return entries.withUnsafeBufferPointer { entries in
                var slot = Int(truncatingIfNeeded: hash) & (entries.count - 1)
                while entries[slot].place >= 0 {
                    let entry = entries[slot]
                    if entry.hash == hash, entry.count == utf8.count, holds(utf8, at: entry.start) {
                        return entry.place
                    }
                    slot = (slot + 1) & (entries.count - 1)
                }
                return -1
            }
        }
        if let found, found >= 0 { return found }
        return placesByName[name]
    }

    @inline(__always)
    private func holds(_ utf8: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<utf8.count where bytes[start + index] != utf8[index] { return false }
            return true
        }
    }

    /// FNV-1a.
    @inline(__always)
    private static func hash(_ utf8: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
