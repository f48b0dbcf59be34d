import Foundation
import ManagedObjectModel
import Synchronization

// Safe: a model that isn't changed any more.
/// The two entities that fetch requests for history are made with. No store's model has them.
final class HistoryModel: @unchecked Sendable {
    static let shared = HistoryModel()
    private static let inUse = Atomic(false)

    /// Whether a store with history was opened in this process.
    static var isInUse: Bool { inUse.load(ordering: .relaxed) }

    /// To be called when a store with history is opened.
    static func markInUse() { inUse.store(true, ordering: .relaxed) }

    /// Whether any store of a context keeps history.
    static func isKept(in context: NSManagedObjectContext) -> Bool {
        context.coordinator.persistentStores.contains(where: \.keepsHistory)
    }

    static func request(for entity: NSEntityDescription) -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = entity
        return request
    }

    let transaction = NSEntityDescription()
    let change = NSEntityDescription()
    /// Keeps the entities alive and unchangeable.
    private let model = NSManagedObjectModel()

    private init() {
        transaction.name = HistoryEntityName.transaction
        change.name = HistoryEntityName.change
        let texts = ["author", "bundleID", "contextName", "processID", "storeID"]
        let changes = Self.relationship("changes", to: change, isToMany: true)
        let owner = Self.relationship("transaction", to: transaction, isToMany: false)
        changes.inverseRelationship = owner
        owner.inverseRelationship = changes
        transaction.properties =
            texts.map { Self.attribute($0, .stringAttributeType) } + [
                Self.attribute("timestamp", .dateAttributeType),
                Self.attribute("transactionNumber", .integer64AttributeType),
                Self.attribute("token", .transformableAttributeType), changes,
            ]
        change.properties = [
            Self.attribute("changeID", .integer64AttributeType), Self.attribute("changeType", .integer64AttributeType),
            Self.attribute("changedObjectID", .objectIDAttributeType),
            Self.attribute("changedEntity", .transformableAttributeType),
            Self.attribute("tombstone", .transformableAttributeType),
            Self.attribute("updatedProperties", .transformableAttributeType), owner,
        ]
        model.entities = [transaction, change]
        model.makeImmutable()
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(
        _ name: String, to entity: NSEntityDescription, isToMany: Bool
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.maxCount = isToMany ? 0 : 1
        relationship.isOptional = true
        return relationship
    }
}
