@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Synchronization

/// The keys that new objects get: numbers from the store's one sequence, which are taken in blocks, so that a key costs no
/// statement. What isn't used when the store is closed is lost; a key is never given out twice.
final class PostgreSQLKeys: Sendable {
    private let statement: SQLFragment
    /// The first and the last key of each block that is left, in order.
    private let left = Mutex<[ClosedRange<Int64>]>([])

    init(_ schema: PostgreSQLSchema) {
        let sequence = SQLFragment.constant(schema.qualified(PostgreSQLName.keys).text)
        statement = "SELECT nextval(CAST(\(sequence) AS regclass)) FROM generate_series(1, $1)"
    }

    func take(for entities: [EntityLayout], in connection: PostgreSQLConnection) throws -> [ObjectKey] {
        let handles = try take(entities.count, in: connection)
        return zip(handles, entities).map { ObjectKey(handle: $0, entityIndex: $1.index) }
    }

    private func take(_ count: Int, in connection: PostgreSQLConnection) throws -> [Int64] {
        var handles: [Int64] = []
        handles.reserveCapacity(count)
        left.withLock { Self.take(count, from: &$0, into: &handles) }
        let missing = Int64(count - handles.count)
        guard missing > 0 else { return handles }
        // Without the lock, as this waits for the server.
        var parameters = PostgreSQLParameters()
        parameters.append((missing + PostgreSQLSchema.keyBlockSize - 1) / PostgreSQLSchema.keyBlockSize)
        let result = try connection.execute(statement, parameters)
        var blocks = (0..<result.count).map { row -> ClosedRange<Int64> in
            let start = result.int8(row, 0)
            return start + 1...start + PostgreSQLSchema.keyBlockSize
        }
        Self.take(count - handles.count, from: &blocks, into: &handles)
        left.withLock { [blocks] in $0 += blocks }
        return handles
    }

    private static func take(_ count: Int, from blocks: inout [ClosedRange<Int64>], into handles: inout [Int64]) {
        var count = count
        var used = 0
        for (index, block) in blocks.enumerated() where count > 0 {
            let part = block.prefix(count)
            handles += part
            count -= part.count
            if part.count == block.count {
                used += 1
            } else {
                blocks[index] = block.lowerBound + Int64(part.count)...block.upperBound
            }
        }
        blocks.removeFirst(used)
    }
}
