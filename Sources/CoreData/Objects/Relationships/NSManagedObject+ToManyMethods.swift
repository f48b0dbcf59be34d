@_spi(Engine) import CoreDataRows
import Foundation

// What the methods call that generated classes have for to-many relationships. Inverses are kept up.
extension NSManagedObject {
    /// Adds an object; at the end, where the relationship is ordered.
    @_spi(GeneratedCode) public final func addMember(_ object: NSManagedObject?, for key: ManagedPropertyKey) {
        addMembers(single(object, for: key), for: key)
    }

    /// Adds the objects of an `NSSet`, `NSOrderedSet`, `Set` or array.
    @_spi(GeneratedCode) public final func addMembers(_ objects: Any, for key: ManagedPropertyKey) {
        let property = toMany(key)
        let members = checkedMembers(objects, of: property)
        observedAsOne(property, as: nil) { for object in members { addMember(object, to: property) } }
    }

    /// Removes an object, if it is a member.
    @_spi(GeneratedCode) public final func removeMember(_ object: NSManagedObject?, for key: ManagedPropertyKey) {
        removeMembers(single(object, for: key), for: key)
    }

    /// Removes the objects of an `NSSet`, `NSOrderedSet`, `Set` or array.
    @_spi(GeneratedCode) public final func removeMembers(_ objects: Any, for key: ManagedPropertyKey) {
        let property = toMany(key)
        let members = checkedMembers(objects, of: property)
        observedAsOne(property, as: nil) { for object in members { removeMember(object, of: property) } }
    }

    /// Puts an object into an ordered relationship. The program stops where the index is out of bounds.
    @_spi(GeneratedCode) public final func insertMember(
        _ object: NSManagedObject?, at index: Int, for key: ManagedPropertyKey
    ) {
        insertMembers(single(object, for: key), at: NSIndexSet(index: index), for: key)
    }

    /// Puts objects into an ordered relationship, so that they are then at the indexes.
    @_spi(GeneratedCode) public final func insertMembers(
        _ objects: [Any], at indexes: NSIndexSet, for key: ManagedPropertyKey
    ) {
        let property = toMany(key)
        let members = checkedMembers(objects, of: property)
        precondition(
            members.count == indexes.count, "There must be as many objects as indexes for \"\(key.name)\".")
        observedAsOne(property, as: nil) {
            for (object, index) in zip(members, indexes) {
                let count = self.members(property).count
                precondition(
                    index <= count, "The index \(index) is out of bounds: \"\(key.name)\" has \(count) members.")
                addMember(object, to: property, at: index)
            }
        }
    }

    /// Removes the object at a place of an ordered relationship.
    @_spi(GeneratedCode) public final func removeMember(at index: Int, for key: ManagedPropertyKey) {
        removeMembers(at: NSIndexSet(index: index), for: key)
    }

    /// Removes the objects at some places of an ordered relationship.
    @_spi(GeneratedCode) public final func removeMembers(at indexes: NSIndexSet, for key: ManagedPropertyKey) {
        let property = toMany(key)
        let members = self.members(property).ordered
        let removed = indexes.map { index in
            precondition(
                members.indices.contains(index),
                "The index \(index) is out of bounds: \"\(key.name)\" has \(members.count) members.")
            return members[index]
        }
        observedAsOne(property, as: nil) { for object in removed { removeMember(object, of: property) } }
    }

    /// Puts an object in the place of another one in an ordered relationship.
    @_spi(GeneratedCode) public final func replaceMember(
        at index: Int, with object: NSManagedObject?, for key: ManagedPropertyKey
    ) {
        replaceMembers(at: NSIndexSet(index: index), with: single(object, for: key), for: key)
    }

    /// Puts objects in the places of others in an ordered relationship.
    @_spi(GeneratedCode) public final func replaceMembers(
        at indexes: NSIndexSet, with objects: [Any], for key: ManagedPropertyKey
    ) {
        observedAsOne(toMany(key), as: nil) {
            removeMembers(at: indexes, for: key)
            insertMembers(objects, at: indexes, for: key)
        }
    }

    private func toMany(_ key: ManagedPropertyKey) -> PropertyLayout {
        let property = stored(key)
        guard property.kind == .toMany else {
            fatalError("\(layout.name) has no to-many relationship named \"\(key.name)\".")
        }
        return property
    }

    private func single(_ object: NSManagedObject?, for key: ManagedPropertyKey) -> [Any] {
        guard let object else { fatalError("The relationship \"\(key.name)\" of \(layout.name) can't hold nil.") }
        return [object]
    }
}
