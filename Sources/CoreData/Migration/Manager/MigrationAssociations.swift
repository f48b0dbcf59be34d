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

    mutating func add(_ source: ObjectKey, _ destination: ObjectKey, mapping: String) {
        tables[mapping, default: Table()].add(source, destination)
        if mappingsBySourceEntity[source.entityIndex]?.contains(mapping) != true {
            mappingsBySourceEntity[source.entityIndex, default: []].append(mapping)
        }
    }

    func count(mapping: String) -> Int { tables[mapping]?.sources.count ?? 0 }

    func pair(_ place: Int, mapping: String) -> (source: ObjectKey, destination: ObjectKey)? {
        tables[mapping].map { ($0.sources[place], $0.destinations[place]) }
    }

    func destinations(of source: ObjectKey, mapping: String) -> [ObjectKey] {
        tables[mapping]?.destinations(of: source) ?? []
    }

    /// The new objects of an old one, whichever mapping made them.
    func destinations(of source: ObjectKey) -> [ObjectKey] {
        (mappingsBySourceEntity[source.entityIndex] ?? []).flatMap { destinations(of: source, mapping: $0) }
    }

    func sources(of destination: ObjectKey, mapping: String) -> [ObjectKey] {
        tables[mapping]?.sources(of: destination) ?? []
    }

    /// Whether any mapping made the object.
    func hasDestination(_ key: ObjectKey) -> Bool { tables.values.contains { $0.hasDestination(key) } }

    func allDestinations(mapping: String) -> [ObjectKey] { tables[mapping]?.destinations ?? [] }

    func allSources(mapping: String) -> [ObjectKey] { tables[mapping]?.sources ?? [] }
}
