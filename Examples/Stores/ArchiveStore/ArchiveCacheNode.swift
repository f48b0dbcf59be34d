import CoreData
import Foundation

/// A node that holds its values as they are archived, and unpacks them when one is asked for.
///
/// Relationships are connected then, so that a store with a million objects isn't connected when it is opened.
final class ArchiveCacheNode: NSAtomicStoreCacheNode {
    private weak var store: ArchiveStore?
    private var archived: [String: Any]?

    init(objectID: NSManagedObjectID, propertyData: [String: Any], in store: ArchiveStore) {
        self.store = store
        archived = propertyData
        super.init(objectID: objectID)
    }

    /// The values in their archived form. Setting them makes the node forget what it has unpacked.
    var propertyData: [String: Any] {
        get {
            if let archived { return archived }
            return store?.propertyData(of: objectID.entity) { super.value(forKey: $0) } ?? [:]
        }
        set {
            archived = newValue
            propertyCache = nil
        }
    }

    override func value(forKey key: String) -> Any? {
        unpackIfNeeded()
        return super.value(forKey: key)
    }

    /// Breaks the circles that unpacked relationships are; the archived form stays.
    func forgetUnpackedValues() {
        archived = propertyData
        propertyCache = nil
    }

    private func unpackIfNeeded() {
        guard propertyCache == nil, let archived else { return }
        let values = NSMutableDictionary()
        for (name, property) in objectID.entity.propertiesByName {
            guard let data = archived[name] else { continue }
            if let attribute = property as? NSAttributeDescription {
                values[name] = AttributeArchiving.value(data, of: attribute)
            } else if let relationship = property as? NSRelationshipDescription {
                values[name] = destinations(data, of: relationship)
            }
        }
        propertyCache = values
    }

    private func destinations(_ data: Any, of relationship: NSRelationshipDescription) -> Any? {
        guard relationship.isToMany else {
            return (data as? NSNumber).flatMap { store?.node($0, of: relationship) }
        }
        let nodes = (data as? [Any] ?? []).compactMap { reference in
            (reference as? NSNumber).flatMap { store?.node($0, of: relationship) }
        }
        return relationship.isOrdered ? NSOrderedSet(array: nodes) : NSSet(array: nodes)
    }
}
