import CoreData
import Foundation

/// What the policies do that the fixtures' mapping models name, written anew for these tests.
enum FixturePolicies {
    static func register() {
        NSEntityMigrationPolicy.register(ContinentOfCountryPolicy.self, forName: "Migrations.Country5ToCountry6Policy")
        NSEntityMigrationPolicy.register(MakerOfCarPolicy.self, forName: "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
        NSEntityMigrationPolicy.register(BookPolicy.self, forName: "MHWBookToBookPolicy")
        NSEntityMigrationPolicy.register(UserPolicy.self, forName: "MHWUserToUserPolicy")
    }
}

extension NSManagedObjectContext {
    /// An object that is registered already, or a new one: the way in which most policies look things up.
    fileprivate func registered(_ entity: String, _ key: String, _ value: NSObject) -> NSManagedObject {
        let present = registeredObjects.first { object in
            !object.isFault && object.entity.name == entity && value.isEqual(object.value(forKey: key))
        }
        if let present { return present }
        let new = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        new.setValue(value, forKey: key)
        return new
    }
}

/// Makes an object of the code that countries had for their continent.
final class ContinentOfCountryPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let code = sInstance.value(forKey: "isoContinent") as? NSNumber else { return }
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        made.first?.setValue(
            manager.destinationContext.registered("Continent", "numericISO3166Code", code), forKey: "continent")
    }
}

/// Makes an object of the name that cars had for their maker.
final class MakerOfCarPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let name = sInstance.value(forKey: "maker") as? String else { return }
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        let maker = manager.destinationContext.registered("Maker", "name", name as NSString)
        let cars = maker.value(forKey: "cars") as? Set<NSManagedObject> ?? []
        maker.setValue(cars.union(made), forKey: "cars")
    }
}

/// Copies what has the same name; doesn't call super, and says itself what it has made.
class CopyingPolicy: NSEntityMigrationPolicy {
    func copy(
        _ source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) -> NSManagedObject {
        let new = NSEntityDescription.insertNewObject(
            forEntityName: mapping.destinationEntityName ?? "", into: manager.destinationContext)
        for key in new.entity.attributesByName.keys where source.entity.attributesByName[key] != nil {
            new.setValue(source.value(forKey: key), forKey: key)
        }
        manager.associate(sourceInstance: source, withDestinationInstance: new, for: mapping)
        return new
    }
}

/// Makes authors of names, which it keeps in the manager's user info, and files of the books of users.
final class BookPolicy: CopyingPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let book = copy(sInstance, in: mapping, manager: manager)
        let context = manager.destinationContext!
        guard mapping.userInfo?["modelVersion"] as? String == "3" else {
            let name = sInstance.value(forKey: "authorName") as? String ?? ""
            let author =
                manager.userInfo?[name] as? NSManagedObject
                ?? NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue(name, forKey: "name")
            manager.userInfo = (manager.userInfo ?? [:]).merging([name: author]) { $1 }
            book.setValue(Set([author]), forKey: "authors")
            return
        }
        for user in sInstance.value(forKey: "users") as? Set<NSManagedObject> ?? [] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "User")
            request.predicate = NSPredicate(format: "userId = %d", user.value(forKey: "userId") as? Int ?? 0)
            let file = NSEntityDescription.insertNewObject(forEntityName: "File", into: context)
            file.setValue(sInstance.value(forKey: "fileURL"), forKey: "fileURL")
            file.setValue(book, forKey: "book")
            file.setValue(try context.fetch(request).last, forKey: "user")
        }
    }
}

/// Copies users.
final class UserPolicy: CopyingPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        _ = copy(sInstance, in: mapping, manager: manager)
    }
}
