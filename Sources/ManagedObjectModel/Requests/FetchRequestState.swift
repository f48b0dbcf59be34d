import Foundation
import FoundationCompat

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

/// All that a fetch request says, as one value. Defaults are those of Apple's `NSFetchRequest` page.
package struct FetchRequestState {
    private var ownedEntity: NSEntityDescription?
    private weak var referencedEntity: NSEntityDescription?

    /// Whether the request belongs to a property of an entity, which must not keep entities alive: they would
    /// never go.
    package var referencesEntityWeakly = false {
        didSet { entity = ownedEntity ?? referencedEntity }
    }

    /// The entity, where it is known.
    package var entity: NSEntityDescription? {
        get { ownedEntity ?? referencedEntity }
        set {
            ownedEntity = referencesEntityWeakly ? nil : newValue
            referencedEntity = referencesEntityWeakly ? newValue : nil
            if let name = newValue?.name { entityName = name }
        }
    }

    package var entityName: String?
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor]?
    package var fetchLimit = 0
    package var fetchOffset = 0
    package var fetchBatchSize = 0
    package var resultType: NSFetchRequestResultType = .managedObjectResultType
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var includesPendingChanges = true
    package var returnsObjectsAsFaults = true
    package var returnsDistinctResults = false
    package var shouldRefreshRefetchedObjects = false
    package var relationshipKeyPathsForPrefetching: [String]?
    package var propertiesToFetch: [Any]?
    package var propertiesToGroupBy: [Any]?
    package var havingPredicate: NSPredicate?

    package init() {}

    /// The name of the entity, whether or not the entity itself is known.
    package var nameOfEntity: String? { entity?.name ?? entityName }

    /// Whether both say the same, entities being compared by name.
    func isEqual(to other: FetchRequestState) -> Bool {
        nameOfEntity == other.nameOfEntity
            && fetchLimit == other.fetchLimit && fetchOffset == other.fetchOffset
            && fetchBatchSize == other.fetchBatchSize && resultType == other.resultType
            && includesSubentities == other.includesSubentities
            && includesPropertyValues == other.includesPropertyValues
            && includesPendingChanges == other.includesPendingChanges
            && returnsObjectsAsFaults == other.returnsObjectsAsFaults
            && returnsDistinctResults == other.returnsDistinctResults
            && shouldRefreshRefetchedObjects == other.shouldRefreshRefetchedObjects
            && (relationshipKeyPathsForPrefetching ?? []) == (other.relationshipKeyPathsForPrefetching ?? [])
            && ValueEquality.areEqual(predicate, other.predicate)
            && ValueEquality.areEqual(havingPredicate, other.havingPredicate)
            && ValueEquality.areEqual(sortDescriptors ?? [], other.sortDescriptors ?? [])
            && ValueEquality.areEqual(propertiesToFetch ?? [], other.propertiesToFetch ?? [])
            && ValueEquality.areEqual(propertiesToGroupBy ?? [], other.propertiesToGroupBy ?? [])
    }
}
