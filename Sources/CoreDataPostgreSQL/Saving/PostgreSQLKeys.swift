@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Synchronization

/// The keys that new objects get: numbers from the store's one sequence, which are taken in blocks, so that a key costs no
/// statement. What isn't used when the store is closed is lost; a key is never given out twice.
final class PostgreSQLKeys: Sendable {
    private let statement: SQLFragment
    private let left = Mutex(Left())

    private struct Left {
        /// The first and the last key of each block that is left, in order.
        var blocks: [ClosedRange<Int64>] = []
        /// How many connections had been lost when they were taken.
        var losses = 0
    }

    init(_ schema: PostgreSQLSchema) {
        let sequence = SQLFragment.constant(schema.qualified(PostgreSQLName.keys).text)
        statement = "SELECT nextval(CAST(\(sequence) AS regclass)) FROM generate_series(1, $1)"
    }

    /// Takes keys outside of any transaction, so that the server keeps what it has given out, whatever becomes of that for which they
    /// are taken: what a transaction takes may be given out again where the server breaks down before the commit.
    ///
    /// A key is used before it is known that the server still knows of it, so blocks don't outlive the loss of a connection, which
    /// may have been that of the server.
    func take(for entities: [EntityLayout], from pool: PostgreSQLPool) throws -> [ObjectKey] {
        var handles: [Int64] = []
        handles.reserveCapacity(entities.count)
        left.withLock { left in
            if left.losses != pool.lossCount { left = Left(losses: pool.lossCount) }
            Self.take(entities.count, from: &left.blocks, into: &handles)
        }
        let missing = entities.count - handles.count
        if missing > 0 {
            // Without the lock, as this waits for the server.
            var blocks = try pool.read { try takeBlocks(missing, in: $0) }
            Self.take(missing, from: &blocks, into: &handles)
            left.withLock { [blocks] in
                if $0.losses == pool.lossCount { $0.blocks += blocks }
            }
        }
        return Self.keys(handles, entities)
    }

    /// Takes keys inside a transaction. What is left of their blocks isn't used: see ``take(for:from:)``.
    func take(for entities: [EntityLayout], in connection: PostgreSQLConnection) throws -> [ObjectKey] {
        var handles: [Int64] = []
        handles.reserveCapacity(entities.count)
        var blocks = try takeBlocks(entities.count, in: connection)
        Self.take(entities.count, from: &blocks, into: &handles)
        return Self.keys(handles, entities)
    }

    private static func keys(_ handles: [Int64], _ entities: [EntityLayout]) -> [ObjectKey] {
        zip(handles, entities).map { ObjectKey(handle: $0, entityIndex: $1.index) }
    }

    private func takeBlocks(_ count: Int, in connection: PostgreSQLConnection) throws -> [ClosedRange<Int64>] {
        guard count > 0 else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append((Int64(count) + PostgreSQLSchema.keyBlockSize - 1) / PostgreSQLSchema.keyBlockSize)
        let result = try connection.execute(statement, parameters)
        return (0..<result.count).map { row in
            let start = result.int8(row, 0)
            return start + 1...start + PostgreSQLSchema.keyBlockSize
        }
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
