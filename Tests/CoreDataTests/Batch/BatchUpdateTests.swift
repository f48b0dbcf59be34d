import CoreData
import Foundation
import Testing

@Suite("Batch updates")
struct BatchUpdateTests {
    private func stack() throws -> TrackedStack {
        let stack = try TrackedStack()
        let author = stack.context.make("Author", ["name": "Ende"])
        for number in 0..<10 {
            let book = stack.context.makeBook("Book \(number)", ["pages": 100 + number, "copies": number])
            if number < 4 { book.setValue(author, forKey: "author") }
        }
        let audio = stack.context.make("AudioBook", ["title": "Heard", "identifier": UUID(), "copies": 50])
        audio.setValue(60.0, forKey: "duration")
        try stack.context.save()
        return stack
    }

    @Test("constants are set where the predicate holds, and the version counts up")
    func constants() throws {
        let stack = try stack()
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.predicate = NSPredicate(format: "copies < 5")
        request.propertiesToUpdate = ["inPrint": false, "price": Decimal(string: "9.99")!, "rating": NSNull()]
        request.resultType = .updatedObjectsCountResultType
        #expect(try stack.execute(request) as? Int == 5)
        #expect(
            try stack.rows("SELECT COUNT(*), MIN(Z_OPT), MIN(ZPRICE) FROM ZBOOK WHERE ZINPRINT = 0") == [
                ["5", "2", "9.99"]
            ])
        #expect(try stack.rows("SELECT COUNT(*), MAX(Z_OPT) FROM ZBOOK WHERE ZINPRINT = 1") == [["6", "1"]])
    }

    @Test("expressions see the row as it was")
    func expressions() throws {
        let stack = try stack()
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.propertiesToUpdate = [
            "copies": NSExpression(format: "copies + 1"),
            "pages": NSExpression(format: "copies * 2"),
            "title": NSExpression(forKeyPath: "author.name"),
        ]
        request.predicate = NSPredicate(format: "author.name == 'Ende'")
        request.resultType = .updatedObjectIDsResultType
        let ids = try #require(try stack.execute(request) as? [NSManagedObjectID])
        #expect(ids.count == 4)
        #expect(
            try stack.rows("SELECT ZTITLE, ZCOPIES, ZPAGES FROM ZBOOK WHERE ZAUTHOR IS NOT NULL ORDER BY Z_PK")
                .sorted { $0[1]! < $1[1]! }
                == [["Ende", "1", "0"], ["Ende", "2", "2"], ["Ende", "3", "4"], ["Ende", "4", "6"]])
    }

    @Test("subentities are included unless the request says otherwise")
    func inheritance() throws {
        let stack = try stack()
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.includesSubentities = false
        request.propertiesToUpdate = ["copies": 7]
        request.resultType = .updatedObjectsCountResultType
        #expect(try stack.execute(request) as? Int == 10)
        request.includesSubentities = true
        #expect(try stack.execute(request) as? Int == 11)
        let audio = NSBatchUpdateRequest(entityName: "AudioBook")
        audio.propertiesToUpdate = ["narrator": "N", "duration": NSExpression(format: "duration / 2")]
        audio.resultType = .updatedObjectIDsResultType
        let ids = try #require(try stack.execute(audio) as? [NSManagedObjectID])
        #expect(ids.map(\.entity.name) == ["AudioBook"])
        #expect(try stack.context.existingObject(with: ids[0]).value(forKey: "duration") as? Double == 30)
    }

    @Test("a to-one can be set to an object or to nothing, by name or description")
    func relationships() throws {
        let stack = try stack()
        let other = stack.context.make("Author", ["name": "Lindgren"])
        try stack.context.save()
        let property = try #require(
            stack.coordinator.managedObjectModel.entitiesByName["Book"]?.propertiesByName["author"])
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.predicate = NSPredicate(format: "author == nil")
        request.propertiesToUpdate = [property: other.objectID]
        try stack.context.execute(request)
        #expect(other.members("books").count == 7)
        request.predicate = NSPredicate(format: "author.name == 'Ende'")
        request.propertiesToUpdate = ["author": NSNull()]
        request.resultType = .updatedObjectsCountResultType
        #expect(try stack.execute(request) as? Int == 4)
        #expect(try stack.rows("SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR IS NULL") == [["4"]])
    }

    @Test("history has a change for each row, with the properties that were set")
    func history() throws {
        let stack = try stack()
        stack.context.transactionAuthor = "importer"
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.predicate = NSPredicate(format: "copies > 7")
        request.propertiesToUpdate = ["copies": 1, "title": "T"]
        try stack.context.execute(request)
        let transaction = try #require(try stack.history().last)
        #expect(transaction.author == "importer")
        #expect(transaction.changes?.count == 3)
        for change in transaction.changes ?? [] {
            #expect(change.changeType == .update)
            #expect(change.updatedProperties.map { Set($0.map(\.name)) } == ["copies", "title"])
        }
    }

    @Test("contexts see the new values once the IDs are merged, and a stale save is a conflict")
    func merging() throws {
        let stack = try stack()
        let reader = stack.anotherContext()
        let books = try reader.all("Book", "copies == 3")
        let book = try #require(books.first)
        #expect(book.value(forKey: "pages") as? Int == 103)
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.propertiesToUpdate = ["pages": 1]
        request.resultType = .updatedObjectIDsResultType
        let ids = try #require(try stack.execute(request) as? [NSManagedObjectID])
        #expect(book.value(forKey: "pages") as? Int == 103)
        let stale = try #require(try reader.all("Book", "copies == 4").first)
        stale.setValue("Mine", forKey: "title")
        _ = try #require(try stack.context.all("Book", "copies == 4").first)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [reader])
        #expect(book.value(forKey: "pages") as? Int == 1)
        #expect(stale.value(forKey: "pages") as? Int == 1 && stale.text("title") == "Mine")
        try reader.save()
    }

    private static func counterModel() -> NSManagedObjectModel {
        let count = NSAttributeDescription()
        count.name = "count"
        count.attributeType = .integer64AttributeType
        let counter = NSEntityDescription()
        counter.name = "Counter"
        counter.managedObjectClassName = "NSManagedObject"
        counter.properties = [count]
        let model = NSManagedObjectModel()
        model.entities = [counter]
        return model
    }

    @Test("a counter goes up and down to the ends of 64 bits, and an error keeps it from going beyond")
    func counters() throws {
        let ends: [Int64] = [.min, .min + 1, -5, -1, 0, 1, 7, .max - 1, .max]
        let stack = try TrackedStack(tracksHistory: false, model: Self.counterModel())
        stack.context.make("Counter", ["count": 0])
        try stack.context.save()
        for value in ends {
            for step in ends {
                for format in ["count + %lld", "count - %lld", "count + count * 0 + %lld"] {
                    let set = NSBatchUpdateRequest(entityName: "Counter")
                    set.propertiesToUpdate = ["count": value]
                    try stack.context.execute(set)
                    let count = NSBatchUpdateRequest(entityName: "Counter")
                    let isMinus = format.contains("-")
                    count.propertiesToUpdate = [
                        "count": NSExpression(format: format, argumentArray: [NSNumber(value: step)])
                    ]
                    let (sum, overflows) =
                        isMinus ? value.subtractingReportingOverflow(step) : value.addingReportingOverflow(step)
                    let text = thrownText { try stack.context.execute(count) }
                    #expect(text.contains("overflow") == overflows, "\(value) \(format) \(step): \(text)")
                    let kept = overflows ? value : sum
                    #expect(try stack.rows("SELECT ZCOUNT FROM ZCOUNTER") == [["\(kept)"]], "\(format)")
                }
            }
        }
    }

    @Test("what can't be set is an error that says why, and changes nothing")
    func errors() throws {
        let stack = try stack()
        func text(_ properties: [AnyHashable: Any]) -> String {
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.propertiesToUpdate = properties
            return thrownText { try stack.context.execute(request) }
        }
        #expect(text(["titl": "x"]).contains("Did you mean 'title'?"))
        #expect(text(["title": 7]).contains("'title' takes a"))
        #expect(text(["genres": NSSet()]).contains("to-many"))
        #expect(text(["title": NSExpression(format: "copies + 1")]).contains("can't be set to"))
        #expect(text([:]).contains("sets nothing"))
        #expect(text(["copies": NSExpression(format: "copies + 9223372036854775807")]).contains("overflow"))
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.propertiesToUpdate = ["identifier": UUID()]
        #expect(thrownCode { try stack.context.execute(request) } == NSManagedObjectConstraintMergeError)
        #expect(try stack.rows("SELECT MAX(Z_OPT) FROM ZBOOK") == [["1"]])
        #expect(try stack.history().count == 1)
    }
}
