/// Reads the rows of a store that is open.
package protocol RowReading: AnyObject {
    /// The rows that a fetch asks for, in order, within offset and limit.
    func fetchRows(_ fetch: StoreFetch, in view: ReadView) throws -> [RowPage]
    /// The keys of these rows, in order.
    func fetchKeys(_ fetch: StoreFetch, in view: ReadView) throws -> [ObjectKey]
    func count(_ fetch: StoreFetch, in view: ReadView) throws -> Int
    /// The dictionaries that a fetch for such asks for: an entry for each property or expression that isn't nil.
    func fetchDictionaries(_ fetch: StoreFetch, in view: ReadView) throws -> [[String: Any]]
    /// One row; nil when it has gone.
    func loadRow(_ key: ObjectKey, in view: ReadView) throws -> RowRef?
    /// Many rows, in any order; those that have gone are left out.
    func loadRows(_ keys: [ObjectKey], in view: ReadView) throws -> [RowPage]
    /// The destinations of a to-many relationship, in order if it is ordered.
    func loadDestinations(of property: PropertyLayout, from owner: ObjectKey, in view: ReadView) throws -> [ObjectKey]
    /// The same for many owners, by the handles of these. Owners without destinations needn't have an entry.
    func loadDestinations(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> [Int64: [ObjectKey]]
    /// The same with the rows of the destinations.
    func loadDestinationRows(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> DestinationRows
}

extension RowReading {
    package func loadRow(_ key: ObjectKey, in view: ReadView) throws -> RowRef? {
        let page = try loadRows([key], in: view).first { $0.count > 0 }
        return page.map { RowRef(page: $0, row: 0) }
    }

    package func loadDestinations(of property: PropertyLayout, from owner: ObjectKey, in view: ReadView) throws
        -> [ObjectKey]
    { try loadDestinations(of: property, from: [owner], in: view)[owner.handle] ?? [] }

    /// The destinations for many owners, for what can only be asked about one at a time.
    package func loadDestinationsOneByOne(
        of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView
    ) throws -> [Int64: [ObjectKey]] {
        var destinations: [Int64: [ObjectKey]] = [:]
        for owner in owners {
            destinations[owner.handle] = try loadDestinations(of: property, from: owner, in: view)
        }
        return destinations
    }

    package func loadDestinationRows(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> DestinationRows
    {
        let destinations = try loadDestinations(of: property, from: owners, in: view)
        let pages = try loadRows(destinations.values.flatMap { $0 }.uniqued(), in: view)
        var places: [ObjectKey: Int32] = [:]
        for page in pages {
            for row in 0..<page.count { places[page.key(row)] = Int32(places.count) }
        }
        return DestinationRows(
            pages: pages,
            pairs: owners.flatMap { owner in
                (destinations[owner.handle] ?? []).compactMap { key in places[key].map { (owner.handle, $0) } }
            })
    }
}
