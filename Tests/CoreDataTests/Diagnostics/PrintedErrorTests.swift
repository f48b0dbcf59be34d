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
        for error in errors {
            #expect(!"\(error)".contains("(null)"), "\(error)")
            #expect("\(error)".contains(error.localizedDescription))
        }
    }
}
