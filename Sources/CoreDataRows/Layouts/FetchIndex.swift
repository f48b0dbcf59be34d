import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate

/// A fetch index of an entity, whichever way the model says it.
package struct FetchIndex {
    package struct Element {
        package var propertyName: String
        package var isAscending: Bool
    }

    package var name: String
    package var elements: [Element]
    package var isRTree = false
    package var partialIndexPredicate: NSPredicate?

    /// The indexes that an entity declares. A subentity doesn't repeat those of its superentity, unless the model says so
    /// (seen in SampleModel_V2).
    ///
    /// Models older than fetch indexes mark single properties, and list compound indexes; newer frameworks treat these
    /// as fetch indexes named after the properties (seen in XCServerCoreData 2.0.0 and SampleModelV1).
    /// Where a model has fetch indexes, the marks repeat what those say.
    package static func all(of entity: NSEntityDescription) -> [FetchIndex] {
        if !entity.indexes.isEmpty { return entity.indexes.map(FetchIndex.init) }
        let marked = entity.ownProperties.filter(\.isIndexed).map(\.name).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        let compound = entity.compoundIndexes.map { names in
            names.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
        }
        return (marked.map { [$0] } + compound.filter { !$0.isEmpty }).map { names in
            FetchIndex(
                name: names.joined(separator: "_"),
                elements: names.map { Element(propertyName: $0, isAscending: true) })
        }
    }

    private init(name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }

    private init(_ index: NSFetchIndexDescription) {
        name = index.name
        elements = index.elements.map { Element(propertyName: Self.name(of: $0), isAscending: $0.isAscending) }
        isRTree = index.elements.contains { $0.collationType == .rTree }
        partialIndexPredicate = index.partialIndexPredicate
    }

    /// The property's name; for an expression `self` or `entity`, which are the two that have a column.
    private static func name(of element: NSFetchIndexElementDescription) -> String {
        if let expression = (element.property as? NSExpressionDescription)?.expression {
            if expression.expressionType == .evaluatedObject { return "self" }
            if expression.expressionType == .keyPath { return expression.keyPath }
        }
        return element.propertyName ?? ""
    }
}
