@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Settles which of several objects may have values that are to be unique.
///
/// Where an unsaved object has the values of a row, the row stays, under its ID, and the unsaved object leaves the
/// context: its values go into the row's object as the policy says, and objects that were related to it are related to
/// that one. Apple documents that the trumping side's values win ("Configuring Entities"); that the row keeps its
/// identity is our choice.
enum ConstraintResolution {
    static func resolve(_ conflicts: [NSConstraintConflict], by type: NSMergePolicyType) throws {
        if type == .errorMergePolicyType, !conflicts.isEmpty { throw ConstraintError.make(conflicts) }
        var absorbed: [ObjectIdentifier: AbsorbedObject] = [:]
        for conflict in conflicts { settle(conflict, by: type, &absorbed) }
        let context = conflicts.lazy.compactMap { $0.conflictingObjects.first?.managedObjectContext }.first
        guard let context, !absorbed.isEmpty else { return }
        context.doubts.absorbed += absorbed.values
        redirect(absorbed, in: context)
    }

    private static func settle(
        _ conflict: NSConstraintConflict, by type: NSMergePolicyType,
        _ absorbed: inout [ObjectIdentifier: AbsorbedObject]
    ) {
        // Another constraint may have settled it already.
        let objects = conflict.conflictingObjects.filter { !$0.isToBeDeleted && $0.ownContext != nil }
        guard let first = objects.first else { return }
        let kept: NSManagedObject
        if let stored = conflict.databaseObject {
            guard !stored.isToBeDeleted else { return }
            guard first.wasNeverSaved else { return settle(first, against: stored, conflict.constraint, by: type) }
            kept = stored
        } else {
            kept = objects.first { !$0.wasNeverSaved } ?? first
        }
        for object in objects where object !== kept {
            if object.wasNeverSaved {
                object.give(to: kept, by: type)
                absorbed[ObjectIdentifier(object)] = AbsorbedObject(object: object, kept: kept)
            } else {
                object.restoreSavedValues(of: conflict.constraint)
            }
        }
        kept.awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Two rows want the same values: the one that was changed in the context, and the one that has them.
    private static func settle(
        _ object: NSManagedObject, against stored: NSManagedObject, _ constraint: [String], by type: NSMergePolicyType
    ) {
        switch type {
        case .errorMergePolicyType: break
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
            object.ownContext?.delete(stored)
        case .mergeByPropertyStoreTrumpMergePolicyType: object.restoreSavedValues(of: constraint)
        case .rollbackMergePolicyType: object.ownContext?.refresh(object, mergeChanges: false)
        }
    }

    /// Relationships without an inverse, which nothing else keeps up, lead to the objects that stay.
    private static func redirect(_ absorbed: [ObjectIdentifier: AbsorbedObject], in context: NSManagedObjectContext) {
        for object in context.inserted.objects + context.updated.objects {
            for property in object.layout.relationships where property.inverse == nil && property.kind != .fetched {
                let members = object.state == nil ? [] : object.destinations(of: property)
                guard members.contains(where: { absorbed[ObjectIdentifier($0)] != nil }) else { continue }
                let new = members.map { absorbed[ObjectIdentifier($0)]?.kept ?? $0 }
                object.setValue(property.kind == .toOne ? new.first : new.uniqued(), of: property)
            }
        }
    }
}

extension NSManagedObject {
    /// Gives the values of an unsaved object to the one that stays, and leaves the context.
    fileprivate final func give(to kept: NSManagedObject, by type: NSMergePolicyType) {
        kept.fireIfNeeded()
        for property in layout.properties {
            guard let target = kept.layout.property(named: property.name) else { continue }
            switch property.kind {
            case .fetched: break
            case .toOne, .toMany: giveDestinations(of: property, to: kept, target, by: type)
            default: giveAttribute(property, to: kept, target, by: type)
            }
        }
        for property in layout.relationships where property.kind != .fetched {
            setValue(property.kind == .toOne ? nil : [NSManagedObject](), of: property)
        }
        guard let context = ownContext else { return }
        context.markDeleted(self)
        // It has no relationships any more: the objects that its delete rules would delete belong to the other one now.
        flags.insert(.deletePropagated)
    }

    private func giveAttribute(
        _ property: PropertyLayout, to kept: NSManagedObject, _ target: PropertyLayout, by type: NSMergePolicyType
    ) {
        switch type {
        case .mergeByPropertyObjectTrumpMergePolicyType: guard wasSet(property) else { return }
        case .overwriteMergePolicyType: break
        default: return
        }
        if property.rowSlot >= 0, field(property) == kept.field(target) { return }
        kept.setValue(value(of: property), of: target)
    }

    /// Whether the program gave the attribute a value, rather than the model's default.
    private func wasSet(_ property: PropertyLayout) -> Bool {
        guard let state else { return false }
        if property.kind == .composite { return property.elements.contains(where: wasSet) }
        return property.rowSlot >= 0
            ? state.changed.contains(property.rowSlot) : state.transients[property.index] != nil
    }

    private func giveDestinations(
        of property: PropertyLayout, to kept: NSManagedObject, _ target: PropertyLayout, by type: NSMergePolicyType
    ) {
        if type == .rollbackMergePolicyType { return }
        let mine = destinations(of: property)
        if type == .overwriteMergePolicyType {
            kept.setValue(property.kind == .toOne ? mine.first : mine, of: target)
        } else if property.kind == .toMany {
            for member in mine { kept.addMember(member, to: target) }
        } else if let destination = mine.first {
            let isFree = kept.toOne(target) == nil
            if isFree || type == .mergeByPropertyObjectTrumpMergePolicyType {
                kept.setValue(destination, of: target)
            }
        }
    }

    /// Discards the changes of some properties.
    fileprivate final func restoreSavedValues(of names: [String]) {
        for property in names.compactMap({ layout.property(named: $0) }) {
            setValue(committedValue(of: property), of: property)
        }
    }
}
