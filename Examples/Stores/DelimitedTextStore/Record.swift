import CoreData
import Foundation

/// A line as an object: its entity, the identifier, and its values.
struct Record {
    let entity: NSEntityDescription
    let identifier: DelimitedField
    private(set) var attributes: [String: Any] = [:]
    private(set) var destinations: [(relationship: NSRelationshipDescription, fields: [DelimitedField])] = []

    init(_ line: DelimitedLine, entities: [String: NSEntityDescription], format: RecordFormat) throws {
        let isNamed = line.isNamed
        var fields = line.fields(separator: isNamed ? ":" : ",")
        let first = fields.removeFirst()
        let name = try TextEscapes.unescaped(first)
        guard let entity = entities[name], !entity.isAbstract else {
            throw first.error("the model has no entity '\(name)' of which there could be objects")
        }
        self.entity = entity
        let values: [(name: String, field: DelimitedField)]
        if isNamed {
            values = try Self.pairs(Array(fields.dropFirst()))
        } else {
            let columns = format.columns(of: entity)
            guard fields.count == columns.count else {
                let last = fields.last ?? first
                throw last.error(
                    "a \(name) has \(columns.count) values (\(columns.joined(separator: ", "))), not \(fields.count)")
            }
            values = zip(columns, fields).map { (name: $0, field: $1) }
        }
        guard let id = values.first(where: { $0.name == RecordFormat.identifier })?.field, !id.text.isEmpty else {
            throw first.error("the line has no id")
        }
        identifier = DelimitedField(text: try TextEscapes.unescaped(id), line: line, column: id.column)
        for (name, field) in values where name != RecordFormat.identifier { try set(name, field) }
    }

    private static func pairs(_ fields: [DelimitedField]) throws -> [(name: String, field: DelimitedField)] {
        var pairs: [(name: String, field: DelimitedField)] = []
        for start in stride(from: 0, to: fields.count, by: 2) {
            let name = try TextEscapes.unescaped(fields[start])
            guard start + 1 < fields.count else { throw fields[start].error("'\(name)' has no value") }
            if pairs.contains(where: { $0.name == name }) { throw fields[start].error("'\(name)' has two values") }
            pairs.append((name, fields[start + 1]))
        }
        return pairs
    }

    private mutating func set(_ name: String, _ field: DelimitedField) throws {
        guard let property = entity.propertiesByName[name], !property.isTransient else {
            throw field.error("\(entity.name ?? "") has no property '\(name)'")
        }
        if field.text.isEmpty { return }
        if let relationship = property as? NSRelationshipDescription {
            let fields = try field.identifiers()
            guard relationship.isToMany || fields.count == 1 else {
                throw field.error("\(name) leads to \(fields.count) objects, and may lead to one")
            }
            destinations.append((relationship, fields))
        } else if let attribute = property as? NSAttributeDescription {
            attributes[name] = try AttributeText.value(field, of: attribute)
        }
    }
}
