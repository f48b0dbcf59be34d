import CoreData
import Foundation
import Testing

@Suite("Unique values of unsaved objects in stores without a database")
struct UnsavedDuplicateTests {
    private let context: NSManagedObjectContext

    init() throws {
        let email = NSAttributeDescription()
        email.name = "email"
        email.attributeType = .stringAttributeType
        email.isOptional = true
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        let user = NSEntityDescription()
        user.name = "User"
        user.properties = [email, name]
        user.uniquenessConstraints = [["email"]]
        let model = NSManagedObjectModel()
        model.entities = [user]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    @discardableResult
    private func insert(_ email: String?, _ name: String) -> NSManagedObject {
        let user = NSEntityDescription.insertNewObject(forEntityName: "User", into: context)
        user.setValue(email, forKey: "email")
        user.setValue(name, forKey: "name")
        return user
    }

    private func names() throws -> [String] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "User"))
            .map { $0.value(forKey: "name") as! String }.sorted()
    }

    @Test func `two of a save with the same value are a conflict, which the default policy throws`() throws {
        for name in ["A", "B", "C"] { insert("x@y.z", name) }
        let error = try #require(throws: NSError.self) { try context.save() }
        #expect(error.code == NSManagedObjectConstraintMergeError)
        let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(list?.count == 1)
        #expect(list?.first?.constraint == ["email"])
        #expect(list?.first?.conflictingObjects.count == 3)
        #expect(list?.first?.databaseObject == nil)
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "User")) == 3)
    }

    @Test func `a merge policy makes one of them`() throws {
        for name in ["A", "B", "C"] { insert("x@y.z", name) }
        insert("other@y.z", "D")
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try context.save()
        #expect(try names() == ["C", "D"])
    }

    @Test func `missing values are no conflict, and what is stored isn't looked at`() throws {
        insert(nil, "A")
        insert(nil, "B")
        insert("x@y.z", "C")
        try context.save()
        insert("x@y.z", "D")
        try context.save()
        #expect(try names() == ["A", "B", "C", "D"])
    }

    @Test func `a saved object that takes the value of an unsaved one is in conflict with it`() throws {
        let saved = insert("a@y.z", "A")
        try context.save()
        saved.setValue("b@y.z", forKey: "email")
        insert("b@y.z", "B")
        let error = try #require(throws: NSError.self) { try context.save() }
        let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(list?.first?.conflictingObjects.count == 2)
        #expect(list?.first?.conflictingObjects.first === saved)
    }
}
