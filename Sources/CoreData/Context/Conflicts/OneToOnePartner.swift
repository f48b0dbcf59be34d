@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// What an object leads to by a one-to-one relationship.
struct OneToOnePartner {
    private let object: NSManagedObject
    let property: PropertyLayout
    private let partner: NSManagedObject
    private let inverse: PropertyLayout

    /// The partners that the context knows of an object.
    static func all(of object: NSManagedObject) -> [OneToOnePartner] {
        object.layout.relationships.compactMap { property in
            guard property.inverse?.kind == .toOne, property.kind == .toOne, let partner = object.toOne(property),
                let inverse = partner.inverse(of: property)
            else { return nil }
            return OneToOnePartner(object: object, property: property, partner: partner, inverse: inverse)
        }
    }

    /// Whether the object is as the store had it, and the other end is a change of this context: others have saved the same
    /// meanwhile, and may have saved something else since.
    var isByTheirChange: Bool {
        !object.hasChanged(property) && !partner.isFault && partner.hasChanged(inverse)
            && partner.toOne(inverse) === object
    }

    /// Whether the object is as it was read, and this context knows that the partner has another.
    var isKnownToBeElsewhere: Bool {
        !object.hasChanged(property) && !partner.isFault && partner.toOne(inverse) !== object
    }

    /// Where the object's new row leads elsewhere, the partner, which the context hasn't changed, is read anew: others have parted
    /// the two.
    func followStore() {
        guard object.ownContext != nil, object.toOne(property) !== partner, !partner.isFault, !partner.isGone,
            partner.toOne(inverse) === object, !partner.hasChanged(inverse)
        else { return }
        object.ownContext?.outdatedNeighbours.append(partner)
    }
}

extension NSManagedObject {
    /// Whether the context has changed a to-one.
    final func hasChanged(_ property: PropertyLayout) -> Bool {
        state.map { isChanged(property, in: $0) } ?? false
    }
}

extension NSManagedObjectContext {
    /// Reads objects anew whose other ends a merge policy has found to be changed by others, but for those that are in conflict
    /// themselves, which the policy has given their rows.
    func refreshOutdatedNeighbours(except resolved: Set<NSManagedObject>) {
        guard !outdatedNeighbours.isEmpty else { return }
        let neighbours = outdatedNeighbours.uniqued()
        outdatedNeighbours = []
        refreshingTogether {
            for object in neighbours where object.ownContext === self && !resolved.contains(object) {
                update(object, keepingChanges: true)
            }
        }
    }
}
