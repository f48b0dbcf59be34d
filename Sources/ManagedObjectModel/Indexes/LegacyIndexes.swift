/// The two ways in which models ask for indexes, brought together.
///
/// As in compiled models: an indexed attribute of Xcode 8 and before becomes an index of its name, a compound index
/// one of its attributes' names joined by "_"; the other way round, an index over one attribute makes that attribute
/// indexed, an index over several a compound one. (Seen in XCServerCoreData.mom and SampleModel2.mom.)
enum LegacyIndexes {
    /// Adds to each side what only the other one says.
    static func reconcile(_ entity: NSEntityDescription) {
        var indexes = entity.indexes
        var compounds = entity.compoundIndexes.map { $0.compactMap { $0 as? String } }
        let own = Dictionary(entity.ownProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let explicit = indexes.map { index in index.elements.compactMap(\.propertyName) }
        for (index, names) in zip(indexes, explicit) where index.elements.allSatisfy({ $0.collationType == .binary }) {
            if names.count == 1 { own[names[0]]?.isIndexed = true }
            if names.count > 1, !compounds.contains(names) { compounds.append(names) }
        }
        let single = entity.ownProperties.filter { $0.isIndexed && $0 is NSAttributeDescription }.map { [$0.name] }
        for names in single + compounds where !explicit.contains(names) && !names.isEmpty {
            let elements = names.map { NSFetchIndexElementDescription(propertyName: $0, collationType: .binary) }
            indexes.append(NSFetchIndexDescription(name: names.joined(separator: "_"), elements: elements))
        }
        entity.compoundIndexes = compounds
        entity.indexes = indexes
    }
}
