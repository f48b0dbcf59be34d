@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension EntityLayout {
    /// The class whose instances represent the entity: the one that the model names, where it can be found.
    var objectClass: NSManagedObject.Type {
        if model.makesPlainObjects { return NSManagedObject.self }
        return objectClassCache.withLock { cache in
            // Only this file puts classes there.
            if let cached = cache { return unsafeBitCast(cached, to: NSManagedObject.Type.self) }
            let resolved = ManagedObjectClasses.class(of: entity) ?? NSManagedObject.self
            cache = resolved
            return resolved
        }
    }

    /// An object of the entity's class that belongs to no context.
    func makeObject() -> NSManagedObject { objectClass.made(by: ManagedObjectSeed(layout: self)) }

    /// Whether the model names this class for the entity; a class that can't be looked up by its bare name makes itself known here.
    func isOf(_ candidate: NSManagedObject.Type) -> Bool {
        if objectClass == candidate { return true }
        guard objectClass == NSManagedObject.self, candidate != NSManagedObject.self,
            ManagedObjectClasses.isName(entity.managedObjectClassName, of: candidate)
        else { return false }
        objectClassCache.withLock { $0 = candidate }
        return true
    }
}

extension ModelLayout {
    /// Whether a key names something that a class of an entity declares itself, where the entity has no property of that name. Stores
    /// whose objects are in memory evaluate it by the objects, with what their classes have (Apple: Core Data Programming Guide,
    /// "Fetching Objects").
    func isDeclaredByClass(_ key: String) -> Bool {
        entities.contains { entity in
            entity.property(named: key) == nil
                && (DeclaredProperties.keyPath(forKey: key, of: entity.objectClass) != nil
                    || DeclaredMethods.exists(forKey: key, of: entity.objectClass))
        }
    }

    /// The entity that a class belongs to, or nil. Of several one that has the class's name or else the first, and a warning.
    func entity(ofClass objectClass: NSManagedObject.Type) -> NSEntityDescription? {
        let known = entityIndexByClass.withLock { $0[ObjectIdentifier(objectClass)] }
        if let known { return entities[known].entity }
        let matches = entities.filter { $0.isOf(objectClass) }
        let name = String(describing: objectClass)
        guard let match = matches.first(where: { $0.name == name }) ?? matches.first else { return nil }
        let isFirst = entityIndexByClass.withLock {
            $0.updateValue(match.index, forKey: ObjectIdentifier(objectClass)) == nil
        }
        if matches.count > 1, isFirst {
            CoreDataLog.warn(
                "warning: Multiple NSEntityDescriptions claim the NSManagedObject subclass '\(name)' so +entity is unable to "
                    + "disambiguate: \(matches.map(\.name).joined(separator: ", ")). \(match.name) is taken.")
        }
        return match.entity
    }
}

/// Looks up managed object classes by the names that models give them.
enum ManagedObjectClasses {
    /// Of several classes of one name the one of the target that the model is a resource of, as on Apple's platforms the tests of
    /// each target are a program of their own.
    static func `class`(of entity: NSEntityDescription) -> NSManagedObject.Type? {
        guard let name = entity.managedObjectClassName, !name.isEmpty, name != "NSManagedObject" else { return nil }
        let bare = name.hasPrefix(".") ? String(name.dropFirst()) : name
        if let bundle = entity.targetBundle, let found = GeneratedClasses.class(named: bare, of: bundle) {
            return found
        }
        if let found = ClassNames.class(named: bare) as? NSManagedObject.Type { return found }
        let unqualified = bare.split(separator: ".").last.map(String.init) ?? bare
        return GeneratedClasses.class(named: unqualified)
    }

    static func isName(_ name: String?, of objectClass: NSManagedObject.Type) -> Bool {
        guard let name else { return false }
        let bare = name.split(separator: ".").last.map(String.init) ?? name
        return bare == String(describing: objectClass)
    }
}
