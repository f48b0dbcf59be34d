import FoundationCompat

/// The two ways in which models ask for indexes, brought together.
///
/// An indexed attribute of Xcode 8 and before becomes an index of its name, a compound index one of its attributes'
/// names joined by "_". The other way round, an ascending index over one attribute makes that attribute indexed, one
/// over several attributes a compound index. (Seen in XCServerCoreData.mom, SampleModel2.mom and the model caches of
/// photo libraries, in which descending indexes and those over relationships have no such counterpart.)
enum LegacyIndexes {
    /// Adds to each side what only the other one says.
    static func reconcile(_ entity: NSEntityDescription) {
        let own = Dictionary(entity.ownProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let names = Set(entity.indexes.map(\.name))
        let indexed = entity.ownProperties.filter { $0.isIndexed && $0 is NSAttributeDescription }.map { [$0.name] }
        var compounds = entity.compoundIndexes.map { $0.compactMap { $0 as? String } }
        let explicit = Set(entity.indexes.compactMap(columns))
        let added = (indexed + compounds.filter { !explicit.contains($0) && $0.count > 1 }).compactMap { columns in
            let name = columns.joined(separator: "_")
            return names.contains(name) ? nil : index(named: name, over: columns)
        }
        var known = Set(compounds)
        for columns in entity.indexes.compactMap(columns) {
            if columns.count == 1, let attribute = own[columns[0]] as? NSAttributeDescription {
                attribute.isIndexed = true
            } else if columns.count > 1, columns.allSatisfy({ !(own[$0] is NSRelationshipDescription) }),
                known.insert(columns).inserted
            {
                compounds.append(columns)
            }
        }
        entity.compoundIndexes = compounds
        entity.indexes += added
    }

    /// The names of the indexed attributes that have the index of their name which follows from that.
    static func namesOfIndexedAttributes(of entity: NSEntityDescription) -> Set<String> {
        let indexed = Set(
            entity.ownProperties.filter { $0.isIndexed && $0 is NSAttributeDescription }.map(\.name))
        return indexed.intersection(
            entity.indexes.filter { columns(of: $0) == [$0.name] && $0.partialIndexPredicate == nil }.map(\.name))
    }

    private static func index(named name: String, over columns: [String]) -> NSFetchIndexDescription {
        let elements = columns.map { NSFetchIndexElementDescription(propertyName: $0, collationType: .binary) }
        return NSFetchIndexDescription(name: name, elements: elements)
    }

    /// The names that an index of the older kind would have; nil where none could be like it.
    private static func columns(of index: NSFetchIndexDescription) -> [String]? {
        let columns = index.elements.compactMap { element -> String? in
            guard element.isAscending || index.elements.count > 1, element.collationType == .binary else { return nil }
            guard let description = element.expressionDescription else { return element.propertyName }
            guard case .keyPath(nil, let path)? = description.expression?.form else { return nil }
            return path.string
        }
        return columns.count == index.elements.count ? columns : nil
    }
}
