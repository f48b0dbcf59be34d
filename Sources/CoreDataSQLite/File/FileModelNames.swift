import Foundation
import ManagedObjectModel

/// Refuses models of files whose names can't be Core Data's: a file with such names may have been made to attack its
/// reader.
///
/// The model editor takes letters, digits and underscores, the first no digit. Models that a program makes are freer.
enum FileModelNames {
    /// In bytes. The longest name seen has 61.
    private static let longest = 512
    /// Rows keep the number of an entity in 16 bits.
    private static let mostEntities = 1 << 14
    private static let deepestHierarchy = 128

    /// - Throws: `NSFileReadCorruptFileError` that names what is wrong.
    static func check(_ model: NSManagedObjectModel) throws {
        guard model.entities.count <= mostEntities else { throw refusal("it has \(model.entities.count) entities") }
        var seen: Set<String> = []
        for entity in model.entities {
            let name = entity.name ?? ""
            guard isName(name) else { throw refusal("an entity is named \(quoted(name))") }
            guard seen.insert(name).inserted else { throw refusal("two entities are named \(quoted(name))") }
            let depth = sequence(first: entity, next: \.superentity).prefix(deepestHierarchy + 1).reduce(0) {
                count, _ in count + 1
            }
            guard depth <= deepestHierarchy else {
                throw refusal("the entity \(name) has more than \(deepestHierarchy) ancestors")
            }
            try check(entity.ownProperties, of: name, depth: 0)
        }
    }

    private static func check(_ properties: [NSPropertyDescription], of entity: String, depth: Int) throws {
        guard depth < deepestHierarchy else {
            throw refusal("the entity \(entity) has attributes within attributes, too deep")
        }
        for property in properties {
            guard isName(property.name) else {
                throw refusal("a property of \(entity) is named \(quoted(property.name))")
            }
            if let composite = property as? NSCompositeAttributeDescription {
                try check(composite.elements, of: entity, depth: depth + 1)
            }
        }
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.first, name.utf8.count <= longest, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func quoted(_ name: String) -> String { "'\(name.prefix(80))'" }

    private static func refusal(_ what: String) -> NSError {
        SQLiteStoreError.error(.fileReadCorrupt, "the model in the file can't be Core Data's: \(what)")
    }
}
