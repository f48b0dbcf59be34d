import FoundationCompat
import ManagedObjectModel

/// A key path of a fetch request, checked against the model before values are asked for.
package struct FetchedKeyPath {
    package let path: String
    /// Whether there is a to-many relationship on the way, so that it leads to a collection.
    package let passesToMany: Bool
    /// Whether it leads to a value that may itself be a collection.
    private(set) var isList = false

    /// - Throws: an error that names the key which the entity doesn't have.
    package init(_ path: String, from entity: EntityLayout) throws {
        self.path = path
        var passesToMany = false
        var current: EntityLayout? = entity
        var elements: [PropertyLayout]?
        var isString = false
        for key in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            // An operator such as @count makes one value of a collection.
            if key.hasPrefix("@") {
                passesToMany = false
                break
            }
            if current != nil, ["self", "SELF", "objectID"].contains(key) { continue }
            if key == "entity", current != nil { break }
            // What key-value coding finds in a string.
            if key == "length", isString { break }
            guard let property = Self.property(key, of: current, or: elements) else {
                throw Self.unknown(key, in: path, current, elements)
            }
            current = property.destination
            elements = property.elements.isEmpty ? nil : property.elements
            if property.kind == .toMany { passesToMany = true }
            isString = property.kind == .string
            isList = property.kind == .transformable
        }
        self.passesToMany = passesToMany
    }

    /// - Throws: an error where the path leads to a collection.
    package func requireToOnes() throws {
        guard passesToMany else { return }
        throw CoreDataError.make(
            NSCoreDataError,
            "to-many key not allowed here: \(path). Use @count or another collection operator.")
    }

    private static func property(_ key: String, of entity: EntityLayout?, or elements: [PropertyLayout]?)
        -> PropertyLayout?
    {
        if let elements { return elements.first { $0.name == key } }
        return entity?.property(named: key)
    }

    package static func unknown(
        _ key: String, in path: String, _ entity: EntityLayout?, _ elements: [PropertyLayout]?
    ) -> any Error {
        let names = (elements ?? entity?.properties ?? []).map(\.name)
        let hint = Spelling.nearest(to: key, among: names).map { ". Did you mean \"\($0)\"?" } ?? ""
        let place = key == path ? "keypath \(key)" : "key \(key) of keypath \(path)"
        return CoreDataError.make(
            NSCoreDataError, "\(place) not found\(entity.map { " in entity \($0.name)" } ?? "")\(hint)")
    }
}
