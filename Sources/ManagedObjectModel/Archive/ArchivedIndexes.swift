import Foundation
import FoundationCompat

/// Decodes fetch indexes from keyed archives.
enum ArchivedIndexes {
    static func index(_ object: ArchivedObject) throws -> NSFetchIndexDescription {
        guard object.className == "NSFetchIndexDescription" else {
            throw ModelFileError(.malformed, "an index has the class \(object.className)")
        }
        let elements = try object.objects("NSIndexElements").map(element)
        let types = Set(elements.map(\.collationType))
        guard types.count <= 1 else { throw object.mismatch("NSIndexElements", "one kind of element") }
        let index = NSFetchIndexDescription(name: try object.requiredString("NSIndexName"), elements: elements)
        index.partialIndexPredicate = try object.object("NSPartialIndexPredicate").map {
            try PredicateArchiveReader.predicate($0)
        }
        return index
    }

    static func element(_ object: ArchivedObject) throws -> NSFetchIndexElementDescription {
        guard object.className == "NSFetchIndexElementDescription" else {
            throw ModelFileError(.malformed, "an index element has the class \(object.className)")
        }
        let number = try object.integer("NSFetchIndexElementType")
        guard number >= 0, let type = NSFetchIndexElementType(rawValue: UInt(number)) else {
            throw object.mismatch("NSFetchIndexElementType", "a known type")
        }
        let element: NSFetchIndexElementDescription
        if let property = try object.object("NSIndexedProperty"), property.className == "NSExpressionDescription" {
            element = NSFetchIndexElementDescription(
                property: try PropertyArchiveReader().property(property), collationType: type)
        } else {
            element = NSFetchIndexElementDescription(
                propertyName: try object.requiredString("NSPropertyName"), collationType: type)
        }
        element.isAscending = try object.boolean("NSAscending")
        return element
    }
}
