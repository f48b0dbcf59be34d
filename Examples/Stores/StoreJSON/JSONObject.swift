import CoreData

/// The values of an object as a JSON object and back: attributes as ``JSONAttribute`` has them, a to-one relationship as the
/// path of its destination or null, a to-many one as a list of paths.
public enum JSONObject {
    /// The values as a node takes them; properties that the JSON doesn't have are left out.
    ///
    /// - Parameter id: the ID of the object at a path.
    /// - Throws: an error that names the property which the JSON has no value of.
    public static func nodeValues(
        _ json: [String: Any], of entity: NSEntityDescription, id: (String) throws -> NSManagedObjectID
    ) throws -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, property) in entity.propertiesByName {
            guard let value = json[name] else { continue }
            if let attribute = property as? NSAttributeDescription {
                values[name] = try JSONAttribute.value(value, of: attribute)
            } else if let paths = value as? [String] {
                values[name] = try paths.map(id)
            } else if let path = value as? String {
                values[name] = try id(path)
            } else if value is NSNull {
                values[name] = NSNull()
            } else {
                throw JSONFormatError("\(entity.name ?? "?").\(name) can't be \(value)")
            }
        }
        return values
    }

    /// - Parameter isIncluded: which relationships are wanted; all, unless it is given.
    /// - Throws: an error that names the attribute whose value can't be archived.
    public static func json(
        _ object: NSManagedObject, path: (NSManagedObjectID) -> String,
        isIncluded: (NSRelationshipDescription) -> Bool = { _ in true }
    ) throws -> [String: Any] {
        var json: [String: Any] = [:]
        for (name, property) in object.entity.propertiesByName where !property.isTransient {
            if let attribute = property as? NSAttributeDescription {
                json[name] = try JSONAttribute.json(object.value(forKey: name), of: attribute)
            } else if let relationship = property as? NSRelationshipDescription, isIncluded(relationship) {
                let paths = object.objectIDs(forRelationshipNamed: name).map(path)
                json[name] = relationship.isToMany ? paths as Any : paths.first ?? NSNull() as Any
            }
        }
        return json
    }
}
