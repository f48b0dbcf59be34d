import CoreData
import Foundation
import Testing

@Suite("Where Apple takes a request of the erased type, the request's type is inferred from there")
struct ErasedRequestTests {
    private func stack() throws -> TemporaryStack {
        let stack = try TemporaryStack()
        let context = stack.context()
        for number in 0..<3 { context.makeBook("Book \(number)") }
        try context.save()
        return stack
    }

    private func count(_ stack: TemporaryStack) throws -> Int {
        try stack.context().count(for: NSFetchRequest(entityName: "Book"))
    }

    @Test("A batch delete takes a request that is made in its place, of any form")
    func batchDelete() throws {
        let stack = try stack()
        let forms = [
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Book")),
            NSBatchDeleteRequest(fetchRequest: .init(entityName: "Book")),
            NSBatchDeleteRequest(
                fetchRequest: stack.container.managedObjectModel.entities.isEmpty
                    ? NSFetchRequest(entityName: "Author") : NSFetchRequest(entityName: "Book")),
        ]
        #expect(forms.map(\.fetchRequest.entityName) == ["Book", "Book", "Book"])
        try stack.context().execute(forms[0])
        #expect(try count(stack) == 0)
    }

    @Test("Requests of known types are taken as before")
    func typed() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.fetchLimit = 2
        #expect(NSBatchDeleteRequest(fetchRequest: request).fetchRequest.fetchLimit == 2)
        let erased: NSFetchRequest<NSFetchRequestResult> = .cast(request)
        let delete = NSBatchDeleteRequest(fetchRequest: erased)
        #expect(delete.fetchRequest.fetchLimit == 2)
        // It is a copy.
        erased.fetchLimit = 1
        #expect(delete.fetchRequest.fetchLimit == 2)
        #expect(
            NSBatchDeleteRequest(fetchRequest: Clerk.fetchRequest()).fetchRequest.resultType == .managedObjectResultType
        )
        let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
        #expect(history.fetchRequest?.fetchLimit == 1)
    }

    @Test("So do history, templates and fetched properties")
    func others() throws {
        let history = NSPersistentHistoryChangeRequest.fetchHistory(
            withFetch: NSFetchRequest(entityName: "Transaction"))
        #expect(history.fetchRequest?.entityName == "Transaction")
        let model = NSManagedObjectModel()
        model.setFetchRequestTemplate(NSFetchRequest(entityName: "Book"), forName: "all")
        #expect(model.fetchRequestTemplate(forName: "all")?.entityName == "Book")
        model.setFetchRequestTemplate(NSFetchRequest<NSManagedObject>(entityName: "Author"), forName: "all")
        #expect(model.fetchRequestTemplate(forName: "all")?.entityName == "Author")
        model.setFetchRequestTemplate(nil, forName: "all")
        #expect(model.fetchRequestTemplate(forName: "all") == nil)
        let property = NSFetchedPropertyDescription()
        property.fetchRequest = NSFetchRequest(entityName: "Book")
        #expect(property.fetchRequest?.entityName == "Book")
    }

    @Test("Requests of several classes in one literal can be counted, fetched and deleted by")
    func literal() throws {
        let stack = try stack()
        let context = stack.context()
        let requests = ["Book": NSFetchRequest<NSManagedObject>(entityName: "Book"), "Clerk": Clerk.fetchRequest()]
        var deleted: [String] = []
        for (name, request) in requests where name == "Book" {
            #expect(try context.count(for: request) == 3)
            #expect(try context.fetch(request).count == 3)
            deleted.append(NSBatchDeleteRequest(fetchRequest: request).fetchRequest.entityName ?? "")
        }
        #expect(deleted == ["Book"])
    }
}
