@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

/// Prints an object's values for people, in the form of Apple's (seen in many published logs). It fires no relationship.
enum ObjectDescription {
    static func values(of object: NSManagedObject) -> String {
        let lines = object.layout.properties.map { property in
            "    \(property.name) = \(text(of: property, in: object));"
        }
        return "{\n\(lines.joined(separator: "\n"))\n}"
    }

    private static func text(of property: PropertyLayout, in object: NSManagedObject) -> String {
        switch property.kind {
        case .toMany, .fetched:
            guard let value = object.state?.toManys[property.index], value.isLoaded else {
                return "\"<relationship fault: \(ObjectAddress.text(of: object)) '\(property.name)'>\""
            }
            if value.count == 0 { return "    (\n    )" }
            return "    (\n" + value.ordered.map { "        \"\($0.objectID)\"" }.joined(separator: ",\n") + "\n    )"
        case .toOne:
            return object.toOne(property).map { "\"\($0.objectID)\"" } ?? "nil"
        case .data:
            return (object.primitiveValue(of: property) as? Data).map { "\($0.count) bytes" } ?? "nil"
        default:
            return object.primitiveValue(of: property).map(PrintedValue.text) ?? "nil"
        }
    }
}
