@_spi(Engine) import CoreDataRows

/// Which new objects were made from which old ones, by keys, so that it stays small for large stores.
struct MigrationAssociations {
    /// The pairs of one mapping, with chains of those that share an object.
    private struct Table {
        var sources: [ObjectKey] = []
        var destinations: [ObjectKey] = []
        var lastBySource: [ObjectKey: Int32] = [:]
        var lastByDestination: [ObjectKey: Int32] = [:]
        var previousBySource: [Int32] = []
        var previousByDestination: [Int32] = []

        mutating func add(_ source: ObjectKey, _ destination: ObjectKey) {
            let place = Int32(sources.count)
            sources.append(source)
            destinations.append(destination)
            previousBySource.append(lastBySource.updateValue(place, forKey: source) ?? -1)
            previousByDestination.append(lastByDestination.updateValue(place, forKey: destination) ?? -1)
        }

        /// Whether an object stands there for the first time: several sources may have been joined into one.
        func isFirst(_ place: Int) -> Bool { previousByDestination[place] < 0 }

        func hasDestination(_ key: ObjectKey) -> Bool { lastByDestination[key] != nil }

        func destinations(of source: ObjectKey) -> [ObjectKey] {
            chain(from: lastBySource[source], previousBySource).map { destinations[$0] }
        }

        func sources(of destination: ObjectKey) -> [ObjectKey] {
            chain(from: lastByDestination[destination], previousByDestination).map { sources[$0] }
        }

        private func chain(from last: Int32?, _ previous: [Int32]) -> [Int] {
            var places: [Int] = []
            var next = last ?? -1
            while next >= 0 {
                places.append(Int(next))
                next = previous[Int(next)]
            }
            return places.reversed()
        }
    }

    private var tables: [String: Table] = [:]
    /// The mappings that made objects from a source entity, so that a relationship finds its new objects.
    private var mappingsBySourceEntity: [Int32: [String]] = [:]
    /// The mappings that have an object of a destination entity.
    private var mappingsByDestinationEntity: [Int32: [String]] = [:]
    /// New objects that were deleted again.
    private var deleted: Set<ObjectKey> = []

    mutating func add(_ source: ObjectKey, _ destination: ObjectKey, mapping: String) {
        tables[mapping, default: Table()].add(source, destination)
        Self.add(mapping, to: &mappingsBySourceEntity[source.entityIndex, default: []])
        Self.add(mapping, to: &mappingsByDestinationEntity[destination.entityIndex, default: []])
    }

    private static func add(_ mapping: String, to list: inout [String]) {
        if !list.contains(mapping) { list.append(mapping) }
    }

    /// Forgets new objects that were deleted.
    mutating func remove(_ destinations: some Sequence<ObjectKey>) { deleted.formUnion(destinations) }

    /// How many pairs a mapping has; of those that share a new object, ``newObject(_:mapping:)`` has the first.
    func count(mapping: String) -> Int { tables[mapping]?.sources.count ?? 0 }

    /// A new object, and one that it was made from; nil where the object stands at an earlier place or was deleted.
    func newObject(_ place: Int, mapping: String) -> (source: ObjectKey, destination: ObjectKey)? {
        guard let table = tables[mapping], table.isFirst(place), !deleted.contains(table.destinations[place]) else {
            return nil
        }
        return (table.sources[place], table.destinations[place])
    }

    /// The mapping that is the first to have a new object.
    func firstMapping(of destination: ObjectKey) -> String? {
        mappingsByDestinationEntity[destination.entityIndex]?.first {
            tables[$0]?.hasDestination(destination) ?? false
        }
    }

    func destinations(of source: ObjectKey, mapping: String) -> [ObjectKey] {
        present(tables[mapping]?.destinations(of: source) ?? [])
    }

    private func present(_ keys: [ObjectKey]) -> [ObjectKey] {
        deleted.isEmpty ? keys : keys.filter { !deleted.contains($0) }
    }

    /// The new objects of an old one, whichever mapping made them.
    func destinations(of source: ObjectKey) -> [ObjectKey] {
        (mappingsBySourceEntity[source.entityIndex] ?? []).flatMap { destinations(of: source, mapping: $0) }
    }

    func sources(of destination: ObjectKey, mapping: String) -> [ObjectKey] {
        tables[mapping]?.sources(of: destination) ?? []
    }

    /// Whether any mapping made the object.
    func hasDestination(_ key: ObjectKey) -> Bool { firstMapping(of: key) != nil }

    func allDestinations(mapping: String) -> [ObjectKey] {
        guard let table = tables[mapping] else { return [] }
        return present(table.destinations.indices.filter(table.isFirst).map { table.destinations[$0] })
    }

    func allSources(mapping: String) -> [ObjectKey] { tables[mapping]?.sources ?? [] }
}
