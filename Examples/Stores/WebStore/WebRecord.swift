import CoreData
import StoreJSON

/// An object as the service sends it: `{"path": "Book/7", "etag": "…", "values": {…}}`.
///
/// Attributes are as ``JSONAttribute`` has them, a to-one relationship is the path of its destination or null, and a to-many
/// one a list of paths, where it's there at all.
struct WebRecord {
    let path: String
    let etag: String
    private let values: [String: Any]

    /// - Throws: an error that says where a record isn't one.
    init(_ json: Any, at place: String) throws {
        guard let object = json as? [String: Any], let path = object["path"] as? String,
            let etag = object["etag"] as? String, let values = object["values"] as? [String: Any]
        else { throw JSONFormatError("\(place): \(json) isn't a record") }
        (self.path, self.etag, self.values) = (path, etag, values)
    }

    func nodeValues(of entity: NSEntityDescription, id: (String) throws -> NSManagedObjectID) throws -> [String: Any] {
        try JSONObject.nodeValues(values, of: entity, id: id)
    }

    /// What is sent of an object: its attributes, its to-one relationships, and the to-many ones that have changed. Those with
    /// a to-one inverse are left to the service, which knows the other side.
    static func values(of object: NSManagedObject, path: (NSManagedObjectID) -> String) throws -> [String: Any] {
        let changed = object.changedValues()
        return try JSONObject.json(object, path: path) { relationship in
            guard relationship.isToMany else { return true }
            if inverseName(of: relationship) != nil { return false }
            return object.isInserted || changed[relationship.name] != nil
        }
    }

    /// The inverse by which the service knows a to-many relationship; nil where the relationship is sent itself.
    static func inverseName(of relationship: NSRelationshipDescription) -> String? {
        guard relationship.isToMany, !relationship.isOrdered, let inverse = relationship.inverseRelationship,
            !inverse.isToMany
        else { return nil }
        return inverse.name
    }
}
