import CoreData
import Foundation

/// How the values of an object stand in a line.
struct RecordFormat {
    /// The names of columns by entity, for lines without names.
    let columns: [String: [String]]
    let isPositional: Bool

    static let identifier = "id"

    func columns(of entity: NSEntityDescription) -> [String] {
        if let given = columns[entity.name ?? ""] { return given }
        return properties(of: entity).filter { $0.property is NSAttributeDescription }.map(\.name) + [Self.identifier]
    }

    /// What is kept of an entity, by name.
    func properties(of entity: NSEntityDescription) -> [(name: String, property: NSPropertyDescription)] {
        entity.propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
            .map { (name: $0.name, property: $0) }.sorted { $0.name < $1.name }
    }

    /// The line of an object.
    ///
    /// - Parameter text: the escaped text of a property's value; nil where it has none.
    func line(of entity: NSEntityDescription, identifier: String, text: (NSPropertyDescription) -> String?) -> String {
        let name = TextEscapes.escaped(entity.name ?? "")
        let texts = properties(of: entity).compactMap { name, property in text(property).map { (name, $0) } }
        let columns = columns(of: entity)
        // An object with a value for which there is no column gets a line with names.
        if isPositional, texts.allSatisfy({ columns.contains($0.0) }) {
            let values = Dictionary(uniqueKeysWithValues: texts)
            let fields = columns.map { column in
                column == Self.identifier ? TextEscapes.escaped(identifier) : values[column] ?? ""
            }
            return ([name] + fields).joined(separator: ",")
        }
        let pairs = texts.map { "\(TextEscapes.escaped($0)):\($1)" }
        return "\(name)::" + (pairs + ["\(Self.identifier):\(TextEscapes.escaped(identifier))"]).joined(separator: ":")
    }
}
