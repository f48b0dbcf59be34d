@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObject {
    // MARK: To-one

    /// The destination of a to-one relationship, as a fault if need be.
    final func toOne(_ property: PropertyLayout) -> NSManagedObject? {
        if let known = state?.toOnes[property.index] { return known }
        guard property.rowSlot >= 0 else { return nil }
        guard case .reference(let key) = field(property), let context = ownContext else { return nil }
        do {
            let destination = try context.destination(key, of: property, from: self)
            if let destination, destination.flags.contains(.fault), destination.snapshotPage == nil {
                context.readAhead(of: property, from: self, to: destination)
            }
            writableState.toOnes[property.index] = .some(destination)
            return destination
        } catch {
            context.recordReadFailure(error, of: "the relationship '\(property.name)' of '\(objectID)'")
            return nil
        }
    }

    /// Sets the destination without notifying observers.
    final func setPrimitiveToOne(_ destination: NSManagedObject?, of property: PropertyLayout) {
        if property.rowSlot >= 0 {
            setField(destination.map { .destination($0) } ?? .null, of: property)
        }
        writableState.toOnes[property.index] = .some(destination)
    }

    // MARK: To-many

    /// The objects that a relationship leads to. Fires the fault.
    final func destinations(of property: PropertyLayout) -> [NSManagedObject] {
        fireIfNeeded(property.name)
        switch property.kind {
        case .toOne: return toOne(property).map { [$0] } ?? []
        case .toMany: return Array(members(property).ordered)
        default: return Self.objects(in: primitiveValue(of: property))
        }
    }

    final func toManyCollection(_ property: PropertyLayout) -> Any {
        property.isOrdered ? orderedMembers(property) : members(property).members
    }

    /// Makes a to-many relationship hold just these members.
    final func replaceMembers(
        of property: PropertyLayout, with members: [NSManagedObject], toldAs kind: NSKeyValueChange? = .setting
    ) {
        fireIfNeeded()
        let value = self.members(property)
        let kept = Set(members)
        observedAsOne(property, as: kind) {
            for object in value.ordered where !kept.contains(object) { removeMember(object, of: property) }
            for object in members { addMember(object, to: property) }
            if property.isOrdered { reorder(value, of: property, to: ContiguousArray(members.uniqued())) }
        }
        reportChange()
    }

    final func setPrimitiveMembers(_ members: [NSManagedObject], of property: PropertyLayout) {
        let value = self.members(property)
        let kept = Set(members)
        for object in value.ordered where !kept.contains(object) { value.remove(object) }
        for object in members { value.add(object) }
        if property.isOrdered { value.reorder(ContiguousArray(members.uniqued())) }
    }

    /// Adds a member and keeps the inverse up.
    final func addMember(_ object: NSManagedObject, to property: PropertyLayout, at index: Int? = nil) {
        fireIfNeeded()
        let members = members(property)
        let isAdded = observably(property, unless: members.contains(object)) { members.add(object, at: index) }
        guard isAdded else { return }
        reportChange()
        guard let inverse = property.inverse.flatMap({ object.layout.property(named: $0.name) }) else { return }
        object.follow(inverse, to: self)
    }

    /// Removes a member and keeps the inverse up.
    final func removeMember(_ object: NSManagedObject, of property: PropertyLayout) {
        fireIfNeeded()
        let members = members(property)
        let isRemoved = observably(property, unless: !members.contains(object)) { members.remove(object) }
        guard isRemoved else { return }
        reportChange()
        guard let inverse = property.inverse.flatMap({ object.layout.property(named: $0.name) }) else { return }
        object.follow(inverse, awayFrom: self)
    }

    /// Puts the members of an ordered relationship in another order.
    final func reorder(
        _ value: ToManyValue, of property: PropertyLayout, to members: ContiguousArray<NSManagedObject>
    ) {
        observably(property, unless: value.ordered == members) { value.reorder(members) }
    }

    /// What ``objectIDs(forRelationshipNamed:)`` gives.
    final func destinationIDs(ofRelationshipNamed key: String) -> [NSManagedObjectID] {
        guard let property = layout.property(named: key), property.kind.isRelationship else {
            fatalError("\(layout.name) has no relationship named \"\(key)\".")
        }
        fireIfNeeded()
        recordRead(property)
        if property.kind == .toOne { return toOne(property).map { [$0.objectID] } ?? [] }
        return members(property).ordered.map(\.objectID)
    }

    // MARK: Inverses

    /// Sets the other side of a relationship after this side has changed.
    final func maintainInverse(of property: PropertyLayout, from before: Any?) {
        guard property.inverse != nil else { return }
        let old = Self.objects(in: before ?? nil)
        let new = destinations(of: property)
        let kept = Set(new)
        let known = Set(old)
        for object in old where !kept.contains(object) {
            if let inverse = object.inverse(of: property) { object.unlink(inverse, from: self) }
        }
        for object in new where !known.contains(object) {
            if let inverse = object.inverse(of: property) { object.follow(inverse, to: self) }
        }
    }

    final func inverse(of property: PropertyLayout) -> PropertyLayout? {
        property.inverse.flatMap { layout.property(named: $0.name) }
    }

    /// Adds an object as a destination because the other end has changed.
    final func link(_ property: PropertyLayout, to object: NSManagedObject) {
        fireIfNeeded()
        // One of them has no row any more.
        if flags.union(object.flags).contains(.inaccessible) { ownContext?.doubts.inversesMayDisagree = true }
        // It leads to something that its delete rules haven't seen.
        flags.remove(.deletePropagated)
        if property.kind == .toOne {
            let before = toOne(property)
            guard before !== object else { return }
            observably(property) { setPrimitiveToOne(object, of: property) }
            reportChange()
            if let before, let inverse = before.inverse(of: property) { before.unlink(inverse, from: self) }
        } else {
            let members = toManyForInverse(property)
            let isAdded = observably(property, unless: members.contains(object)) { members.add(object) }
            if isAdded { reportChange() }
        }
    }

    /// Keeps an object as a destination although the store no longer has it as one: this context's change prevails.
    final func hold(_ object: NSManagedObject, as property: PropertyLayout) {
        fireIfNeeded()
        if property.kind == .toMany {
            let members = toMany(property)
            if members.added.contains(object) { return }
            members.unload()
        }
        link(property, to: object)
    }

    /// Removes an object that a newer row has as a destination, as it has another destination in this context.
    final func giveUp(_ object: NSManagedObject, as property: PropertyLayout) {
        fireIfNeeded()
        guard property.kind == .toMany else { return unlink(property, from: object) }
        // The row is newer than the members.
        let members = toMany(property)
        if members.isLoaded, !members.contains(object) { members.unload() }
        unlink(property, from: object)
        reportChange()
    }

    /// Removes an object as a destination because the other end has changed.
    final func unlink(_ property: PropertyLayout, from object: NSManagedObject) {
        fireIfNeeded()
        if property.kind == .toOne {
            guard toOne(property) === object else { return noteDisagreement(property, with: object) }
            observably(property) { setPrimitiveToOne(nil, of: property) }
            reportChange()
        } else {
            let members = toManyForInverse(property)
            if !members.isLoaded, object.isToBeDeleted, !isStored(object, as: property), !members.added.contains(object)
            {
                return
            }
            let isRemoved = observably(property) { members.remove(object) }
            // It may have been left out when the members were read, or others may have added it since: the object counts as updated, so
            // that they are told.
            let isUnknown = !isRemoved && members.isLoaded && !object.isToBeDeleted && !wasNeverSaved
            if isRemoved || isUnknown || !hasChanges && members.removed.contains(object) { reportChange() }
        }
    }

    /// Whether the row of an object says that the object is a member here. Otherwise removing it would be no change.
    private func isStored(_ object: NSManagedObject, as property: PropertyLayout) -> Bool {
        guard let inverse = object.inverse(of: property), inverse.kind == .toOne else { return true }
        return object.isSame(.destination(self), object.committedField(inverse), of: inverse)
    }

    /// The other end led here, and this one doesn't lead back: of what another writer has saved, the context has read one end
    /// only. The object isn't changed by that, so no version would tell the store.
    private func noteDisagreement(_ property: PropertyLayout, with object: NSManagedObject) {
        guard property.inverse?.kind == .toOne || object.isToBeDeleted, let context = ownContext, !wasNeverSaved,
            !isToBeDeleted
        else { return }
        if let state, isChanged(property, in: state) { return }
        context.doubts.inversesMayDisagree = true
    }

    /// Takes the object, which is about to leave the context, out of what this context's changes have made lead to it.
    final func withdrawNewLinks() {
        guard let state else { return }
        for (index, value) in state.toManys {
            for member in value.added {
                if let inverse = member.inverse(of: layout.properties[index]) { member.unlink(inverse, from: self) }
            }
        }
        for (index, destination) in state.toOnes {
            let property = layout.properties[index]
            guard let destination, isChanged(property, in: state), let inverse = destination.inverse(of: property)
            else {
                continue
            }
            destination.unlink(inverse, from: self)
        }
    }

    /// An unordered one-to-many follows its inverse without reading its members: the to-one side knows which object
    /// belonged to it.
    private func toManyForInverse(_ property: PropertyLayout) -> ToManyValue {
        if !property.isOrdered, property.inverse?.kind == .toOne { return toMany(property) }
        return members(property)
    }

    // MARK: What clients pass

    static func objects(in value: Any?) -> [NSManagedObject] {
        guard let value else { return [] }
        if let object = value as? NSManagedObject { return [object] }
        return members(in: value)?.compactMap { $0 as? NSManagedObject } ?? []
    }

    private static func members(in value: Any) -> [Any]? {
        guard let elements = Elements(value), elements.kind != .dictionary else { return nil }
        return elements.values
    }

    final func checkedDestination(_ value: Any?, of property: PropertyLayout) -> NSManagedObject? {
        guard let value, !(value is NSNull) else { return nil }
        guard let object = value as? NSManagedObject else {
            // A nil that comes out of a generic function.
            if Any?.flattened(value) == nil { return nil }
            fatalError(
                "Unacceptable type of value for to-one relationship: property = \"\(property.name)\"; desired type = "
                    + "\(property.destination?.name ?? "?"); given type = \(type(of: value)); value = \(value).")
        }
        if object.flags.contains(.absent) { return nil }
        checkDestination(object, of: property)
        return object
    }

    final func checkedMembers(_ value: Any?, of property: PropertyLayout) -> [NSManagedObject] {
        guard let value, !(value is NSNull) else { return [] }
        guard let objects = Self.members(in: value) ?? Any?.flattened(value).map({ Self.members(in: $0) }) ?? [] else {
            fatalError(
                "Unacceptable type of value for to-many relationship: property = \"\(property.name)\"; "
                    + "desired type = \(property.isOrdered ? "NSOrderedSet" : "NSSet"); given type = \(type(of: value))."
            )
        }
        return objects.map { element in
            guard let object = element as? NSManagedObject else {
                fatalError("A member of the relationship \"\(property.name)\" isn't a managed object: \(element).")
            }
            checkDestination(object, of: property)
            return object
        }
    }

    private func checkDestination(_ object: NSManagedObject, of property: PropertyLayout) {
        if let destination = property.destination, !object.entity.isKindOf(entity: destination.entity) {
            fatalError(
                "Unacceptable type of value for relationship: property = \"\(property.name)\"; desired type = "
                    + "\(destination.name); given type = \(object.layout.name); value = \(object).")
        }
        guard let mine = ownContext else {
            object.ownContext?.doubts.hasMetStrangers = true
            return
        }
        guard let theirs = object.ownContext else {
            mine.doubts.hasMetStrangers = true
            return
        }
        if mine !== theirs {
            fatalError(
                "Illegal attempt to establish a relationship '\(property.name)' between objects in different contexts "
                    + "(source = \(objectID), destination = \(object.objectID)).")
        }
    }
}
