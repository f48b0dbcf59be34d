import Foundation
import ManagedObjectModel

/// Ways to damage a file.
enum Corruption: CaseIterable {
    case bitFlips
    case truncation
    case removedRange
    case repeatedRange
    case foreignRange
    case rewiredArchive

    func apply(to data: Data, using generator: inout SeededGenerator) -> Data {
        var bytes = [UInt8](data)
        guard !bytes.isEmpty else { return data }
        func range(_ generator: inout SeededGenerator) -> Range<Int> {
            let start = Int.random(in: bytes.indices, using: &generator)
            return start..<Int.random(in: start...min(start + 64, bytes.count), using: &generator)
        }
        switch self {
        case .bitFlips:
            for _ in 0..<Int.random(in: 1...16, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
        case .truncation: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
        case .removedRange: bytes.removeSubrange(range(&generator))
        case .repeatedRange:
            let copied = bytes[range(&generator)]
            bytes.insert(contentsOf: copied, at: Int.random(in: bytes.indices, using: &generator))
        case .foreignRange:
            for index in range(&generator) { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        case .rewiredArchive: return Self.rewire(data, using: &generator) ?? data
        }
        return Data(bytes)
    }

    /// Makes some objects of a keyed archive refer to others: wrong classes, cycles, missing values.
    private static func rewire(_ data: Data, using generator: inout SeededGenerator) -> Data? {
        guard var list = try? PropertyListNode.read(data).dictionary, var objects = list["$objects"]?.array else {
            return nil
        }
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let index = Int.random(in: objects.indices, using: &generator)
            guard case .dictionary(var fields) = objects[index] else { continue }
            guard let key = fields.keys.sorted().randomElement(using: &generator) else { continue }
            let target = PropertyListNode.uid(Int.random(in: 0..<objects.count + 2, using: &generator))
            switch fields[key] {
            case .array(var members)? where !members.isEmpty:
                members[Int.random(in: members.indices, using: &generator)] = target
                fields[key] = .array(members)
            case .integer?:
                fields[key] = .integer(
                    [Int.min, -1, 0, 1, 3, 7, 99, 1800, 65_536, Int.max].randomElement(using: &generator) ?? 0)
            default: fields[key] = target
            }
            objects[index] = .dictionary(fields)
        }
        list["$objects"] = .array(objects)
        return BinaryPropertyListWriter.write(.dictionary(list))
    }
}
