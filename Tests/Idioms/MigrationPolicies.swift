import CoreData

/// Splits a full name into two attributes, as tutorials on custom migrations do.
class PersonToPersonPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard
            let person = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
                .first
        else { fatalError("must return a person") }
        let parts = (sInstance.value(forKey: "name") as? String ?? "").split(separator: " ", maxSplits: 1)
        person.setValue(parts.first.map(String.init), forKey: "firstName")
        person.setValue(parts.dropFirst().first.map(String.init), forKey: "lastName")
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        for person in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        where person.value(forKey: "firstName") == nil {
            throw NSError(
                domain: "Migration", code: 1, userInfo: [NSLocalizedDescriptionKey: "A person without a name."])
        }
    }
}

/// Sets a key that each of its subclasses names, which have the `init()` that migrations call.
class ConstantPolicy: NSEntityMigrationPolicy {
    private let key: String

    init(key: String) { self.key = key }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
            .first?.setValue("constant", forKey: key)
    }
}

class FirstNamePolicy: ConstantPolicy {
    init() { super.init(key: "firstName") }
}

final class InheritingFirstNamePolicy: FirstNamePolicy {}

/// Makes one publisher for each different name that people have in text.
class TextToCompanyPolicy: NSEntityMigrationPolicy {
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        manager.userInfo = ["companies": NSMutableDictionary()]
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let person = NSEntityDescription.insertNewObject(
            forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
        let name = sInstance.value(forKey: "name") as! String
        person.setValue(name, forKey: "firstName")
        if let companyName = sInstance.value(forKey: "company") as? String {
            let companies = manager.userInfo!["companies"] as! NSMutableDictionary
            let company =
                companies[companyName] as? NSManagedObject
                ?? NSEntityDescription.insertNewObject(forEntityName: "Company", into: manager.destinationContext)
            company.setValue(companyName, forKey: "name")
            companies[companyName] = company
            person.setValue(company, forKey: "company")
        }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: person, for: mapping)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}
}
