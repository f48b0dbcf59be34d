@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// The objects of to-many relationships, of all owners at once.
extension PostgreSQLQueries {
    /// The parts of a statement over the destinations of many owners, whose keys are its first parameter.
    private struct Source {
        let from: SQLFragment
        let owner: SQLFragment
        let order: SQLFragment
        /// Whether several owners may have the same object.
        let mayRepeat: Bool
    }

    private func source(_ relationship: PropertyLayout) throws -> Source {
        guard let destination = relationship.destination,
            let toMany = try schema.entity(relationship.owner).toManys[relationship.index]
        else { throw SQLQueryError.noColumn(relationship) }
        let table: SQLFragment = "\(schema.qualified(try schema.entity(destination).table)) t0"
        switch toMany {
        case .foreignKey(let key):
            let owner: SQLFragment = "t0.\(.quoted(key.column))"
            let place = key.orderColumn.map { "t0.\(.quoted($0))" as SQLFragment }
            let order = [owner, place, "t0.\"_id\""].compactMap { $0 }
            return Source(
                from: "\(table) WHERE \(owner) = ANY($1)", owner: owner, order: order.joined(separator: ", "),
                mayRepeat: false)
        case .join(let join):
            let owner: SQLFragment = "t1.\(.quoted(join.sourceColumn))"
            let place = join.orderColumn.map { "t1.\(.quoted($0))" as SQLFragment }
            let order = [owner, place, "t0.\"_id\""].compactMap { $0 }
            let link: SQLFragment = "t0.\"_id\" = t1.\(.quoted(join.destinationColumn))"
            return Source(
                from: "\(schema.qualified(join.table)) t1 JOIN \(table) ON \(link) WHERE \(owner) = ANY($1)",
                owner: owner,
                order: order.joined(separator: ", "), mayRepeat: true)
        }
    }

    private func keys(_ owners: [ObjectKey]) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(owners.map(\.handle))
        return parameters
    }

    /// The objects of each owner, in order where the relationship is ordered, else by key.
    func loadDestinations(
        of relationship: PropertyLayout, from owners: [ObjectKey], in connection: PostgreSQLConnection
    ) throws -> [Int64: [ObjectKey]] {
        let source = try source(relationship)
        let result = try connection.execute(
            "SELECT t0.\"_id\", t0.\"_entity\", \(source.owner) FROM \(source.from) ORDER BY \(source.order)",
            keys(owners))
        var found: [Int64: [ObjectKey]] = [:]
        for row in 0..<result.count { found[result.int8(row, 2), default: []].append(try key(result, row, at: 0)) }
        return found
    }

    /// The same with the rows of the objects.
    func loadDestinationRows(
        of relationship: PropertyLayout, from owners: [ObjectKey], in connection: PostgreSQLConnection
    ) throws -> DestinationRows {
        guard let destination = relationship.destination else { throw SQLQueryError.noColumn(relationship) }
        let source = try source(relationship)
        let selection = try selection(destination, includesSubentities: true)
        let result = try connection.execute(
            "SELECT \(selection.list(alias: "t0")), \(source.owner) FROM \(source.from) ORDER BY \(source.order)",
            keys(owners))
        let ownerColumn = Int32(selection.columns.count)
        var reader = try PostgreSQLRowReader(result, selection, schema: schema)
        var destinations = DestinationRows()
        destinations.pairs.reserveCapacity(Int(result.count))
        var places: [Int64: Int32] = [:]
        var count: Int32 = 0
        for row in 0..<result.count {
            let owner = result.int8(row, ownerColumn)
            if source.mayRepeat {
                let handle = result.int8(row, 0)
                if let known = places[handle] {
                    destinations.pairs.append((owner, known))
                    continue
                }
                places[handle] = count
            }
            try reader.append(row)
            destinations.pairs.append((owner, count))
            count += 1
        }
        destinations.pages = reader.finish()
        return destinations
    }
}
