import CoreData
import Foundation
import Testing

@Suite("A pattern of MATCHES that would take for ever")
struct SlowPatternTests {
    /// Each tries every way to divide a text of `a`s. Foundation's expressions give up by themselves, without a word.
    static let patterns = [
        "(a+)+b", "(a|a)*b", "(a|aa)+$b", "(.*)*x", "([a-z]+)*[0-9]", "(a?){60}a{60}b", "^(([a-z])+.)+[A-Z]([a-z])+$",
        String(repeating: "(", count: 20) + "a+" + String(repeating: ")+", count: 20) + "b",
    ]
    /// From short ones, which such a pattern is done with after a minute, to one that fills the expression's memory.
    static let lengths = [31, 30_000, 3_000_000]
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType]

    private struct Stack {
        let folder: TemporaryFolder
        let context: NSManagedObjectContext

        init(_ type: String, text: String) throws {
            folder = try TemporaryFolder()
            let name = NSAttributeDescription()
            name.name = "name"
            name.attributeType = .stringAttributeType
            let person = NSEntityDescription()
            person.name = "Person"
            person.managedObjectClassName = "NSManagedObject"
            person.properties = [name]
            let model = NSManagedObjectModel()
            model.entities = [person]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("Store"), options: nil)
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                insert(text)
                try context.save()
            }
        }

        func insert(_ text: String) {
            NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue(text, forKey: "name")
        }

        func request(_ pattern: String) -> NSFetchRequest<NSManagedObject> {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name MATCHES %@", pattern)
            return request
        }
    }

    private func expectError(naming pattern: String, _ body: () throws -> Any) {
        do {
            Issue.record("gave \(try body()) for \(pattern)")
        } catch {
            #expect((error as NSError).domain == NSCocoaErrorDomain)
            #expect(error.localizedDescription.contains(pattern), "\(error)")
        }
    }

    @Test("is an error that names it, in fetches and counts of every store", arguments: storeTypes)
    func fetches(_ type: String) throws {
        let stack = try Stack(type, text: String(repeating: "a", count: 60))
        stack.context.performAndWait {
            let request = stack.request("(a+)+b")
            expectError(naming: "(a+)+b") { try stack.context.fetch(request) }
            expectError(naming: "(a+)+b") { try stack.context.count(for: request) }
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            ids.predicate = NSPredicate(format: "NOT (SELF.name MATCHES '(a+)+b')")
            expectError(naming: "(a+)+b") { try stack.context.fetch(ids) }
            request.predicate = NSPredicate(format: "name MATCHES 'a+'")
            #expect((try? stack.context.count(for: request)) == 1)
        }
    }

    @Test("is told before Foundation's expressions give up by themselves", arguments: patterns)
    func everyPattern(_ pattern: String) {
        expectError(naming: pattern) {
            try NSPredicate(format: "SELF MATCHES %@", pattern).checkedEvaluate(with: String(repeating: "a", count: 60))
        }
    }

    @Test("is told for short texts, and for those that fill the expression's memory", arguments: lengths)
    func everyLength(_ length: Int) {
        for pattern in ["(a+)+b", "(a|b)*c"] where pattern == "(a+)+b" || length > 1_000_000 {
            expectError(naming: pattern) {
                try NSPredicate(format: "SELF MATCHES %@", pattern)
                    .checkedEvaluate(with: String(repeating: "a", count: length))
            }
        }
    }

    @Test("is an error over unsaved objects, too", arguments: storeTypes)
    func unsavedObjects(_ type: String) throws {
        let stack = try Stack(type, text: "b")
        stack.context.performAndWait {
            stack.insert(String(repeating: "a", count: 60))
            let request = stack.request("(a+)+b")
            expectError(naming: "(a+)+b") { try stack.context.fetch(request) }
            expectError(naming: "(a+)+b") { try stack.context.count(for: request) }
            request.fetchLimit = 1
            expectError(naming: "(a+)+b") { try stack.context.fetch(request) }
        }
    }

    @Test("keeps batch updates and deletions from changing anything")
    func batches() throws {
        let stack = try Stack(NSSQLiteStoreType, text: "aab")
        try stack.context.performAndWait {
            stack.insert(String(repeating: "a", count: 60))
            try stack.context.save()
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.predicate = stack.request("(a+)+b").predicate
            update.propertiesToUpdate = ["name": "changed"]
            expectError(naming: "(a+)+b") { try stack.context.execute(update) }
            let request: NSFetchRequest<any NSFetchRequestResult> = .init(entityName: "Person")
            request.predicate = update.predicate
            expectError(naming: "(a+)+b") { try stack.context.execute(NSBatchDeleteRequest(fetchRequest: request)) }
            let all = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            #expect(Set(all.map { $0.value(forKey: "name") as? String }.map { $0?.count }) == [3, 60])
        }
    }

    @Test("in a rule of the model, makes the value invalid and says why")
    func validation() throws {
        let stack = try Stack(NSInMemoryStoreType, text: "b")
        stack.context.performAndWait {
            let name = stack.context.persistentStoreCoordinator!.managedObjectModel.copy() as! NSManagedObjectModel
            let attribute = name.entitiesByName["Person"]!.attributesByName["name"]!
            attribute.setValidationPredicates(
                [NSPredicate(format: "SELF MATCHES '(a+)+b'")], withValidationWarnings: [])
            let object = NSManagedObject(entity: name.entitiesByName["Person"]!, insertInto: nil)
            object.setValue(String(repeating: "a", count: 60), forKey: "name")
            expectError(naming: "takes too much time") { try object.validateForInsert() }
        }
    }

    @Test("is no match where nobody can catch an error, and long texts are still looked at")
    func evaluation() throws {
        #expect(!NSPredicate(format: "SELF MATCHES '(a+)+b'").evaluate(with: String(repeating: "a", count: 60)))
        #expect(NSPredicate(format: "SELF MATCHES '(a+)+b'").evaluate(with: "aaab"))
        let long = String(repeating: "lorem ipsum ", count: 100_000)
        #expect(NSPredicate(format: "SELF MATCHES '.*dolor.*'").evaluate(with: long + "dolor"))
        #expect(try !NSPredicate(format: "SELF MATCHES '.*dolor.*'").checkedEvaluate(with: long))
        #expect(try NSPredicate(format: "SELF MATCHES %@", #"[\w ]+"#).checkedEvaluate(with: long))
        let mail = #"[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,64}"#
        #expect(NSPredicate(format: "SELF MATCHES %@", mail).evaluate(with: "somebody@example.com"))
    }
}
