import CoreData
import Foundation
import Testing

@Suite("print(error) shows what happened")
struct PrintedErrorTests {
    @Test("A failed validation, a failed fetch and a store that can't be opened say so")
    func texts() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        var errors: [any Error] = []
        do {
            _ = NSManagedObject(
                entity: try #require(NSEntityDescription.entity(forEntityName: "Book", in: context)),
                insertInto: context)
            try context.save()
        } catch { errors.append(error) }
        do { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Nobody")) } catch {
            errors.append(error)
        }
        do {
            try stack.container.persistentStoreCoordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/nowhere/x.sqlite"))
        } catch { errors.append(error) }
        #expect(errors.count == 3)
        check(errors)
    }

    @Test(
        "So do conflicts, missing objects, damaged files, models that don't fit, and files of others")
    func more() throws {
        var errors: [any Error] = []
        func failing(_ work: () throws -> Void) {
            do {
                try work()
                Issue.record("nothing was thrown")
            } catch { errors.append(error) }
        }
        let stack = try TemporaryStack()
        let (context, other) = (stack.context(), stack.context())
        let coordinator = stack.container.persistentStoreCoordinator
        let book = context.makeBook("One")
        try context.save()
        let theirs = try other.existingObject(with: book.objectID)
        _ = theirs.text("title")
        theirs.setValue("Theirs", forKey: "title")
        book.setValue("Mine", forKey: "title")
        try other.save()
        failing { try context.save() }
        context.rollback()
        other.delete(theirs)
        try other.save()
        let another = stack.context()
        failing { _ = try another.existingObject(with: book.objectID) }
        failing { _ = try context.execute(NSPersistentStoreRequest()) }
        failing { _ = try NSPredicate.converting(#Predicate<NSManagedObject> { $0.description.isEmpty }) }

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            let file = folder.appendingPathComponent(type)
            try Data("this is a letter and no store, and longer than any header of a file".utf8).write(to: file)
            failing { try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file) }
            failing { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: file) }
        }
        failing {
            try coordinator.addPersistentStore(
                ofType: "Nothing", configurationName: nil, at: folder.appendingPathComponent("x"))
        }
        failing {
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: "Nothing", at: nil)
        }
        let file = folder.appendingPathComponent("model.sqlite")
        func open(_ model: NSManagedObjectModel) throws {
            try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: file)
        }
        try open(ThingModel.make())
        failing { try open(Office.model()) }
        check(errors)
    }

    private func check(_ errors: [any Error]) {
        for error in errors {
            #expect(!"\(error)".contains("(null)"), "\(error)")
            #expect(!error.localizedDescription.isEmpty)
            #expect("\(error)".contains(error.localizedDescription), "\(error)")
        }
    }
}
