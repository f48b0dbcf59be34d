import CoreData
import Foundation
import Testing

@Suite("Batch deletes")
struct BatchDeleteTests {
    private func stack(tracksHistory: Bool = true) throws -> TrackedStack {
        let stack = try TrackedStack(tracksHistory: tracksHistory)
        let context = stack.context
        let author = context.make("Author", ["name": "Ende"])
        let genre = context.make("Genre", ["name": "Fantasy"])
        for number in 0..<6 {
            let book = context.makeBook("Book \(number)", ["copies": number, "author": author])
            book.mutableSetValue(forKey: "genres").add(genre)
        }
        try context.save()
        return stack
    }

    private func delete(_ entity: String, _ format: String? = nil) -> NSBatchDeleteRequest {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: entity)
        fetch.predicate = format.map { NSPredicate(format: $0) }
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        return request
    }

    @Test("the results of a fetch go, with their rows in join tables", arguments: [true, false])
    func fetched(_ tracksHistory: Bool) throws {
        let stack = try stack(tracksHistory: tracksHistory)
        #expect(try stack.execute(delete("Book", "copies < 4")) as? Int == 4)
        #expect(try stack.rows("SELECT COUNT(*) FROM ZBOOK") == [["2"]])
        #expect(try stack.rows("SELECT COUNT(*) FROM Z_2GENRES") == [["2"]])
        #expect(try stack.anotherContext().all("Book").count == 2)
    }

    @Test("limit, offset and order of the fetch count")
    func limited() throws {
        let stack = try stack()
        let request = delete("Book")
        request.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "copies", ascending: false)]
        request.fetchRequest.fetchLimit = 2
        request.fetchRequest.fetchOffset = 1
        #expect(try stack.execute(request) as? Int == 2)
        #expect(
            try stack.context.all("Book", sort: "copies").map { $0.value(forKey: "copies") as? Int } == [0, 1, 2, 5])
    }

    @Test("objects go by ID, those of subentities too, and the IDs come back")
    func byID() throws {
        let stack = try stack()
        let audio = stack.context.make("AudioBook", ["title": "Heard", "identifier": UUID()])
        try stack.context.save()
        let book = try #require(try stack.context.all("Book", "copies == 3").first)
        let request = NSBatchDeleteRequest(objectIDs: [book.objectID, audio.objectID])
        request.resultType = .resultTypeObjectIDs
        let ids = try #require(try stack.execute(request) as? [NSManagedObjectID])
        #expect(Set(ids) == [book.objectID, audio.objectID])
        #expect(Set(ids.map(\.entity.name)) == ["Book", "AudioBook"])
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [stack.context])
        #expect(stack.context.registeredObject(for: audio.objectID) == nil)
        #expect(try stack.execute(NSBatchDeleteRequest(objectIDs: [])) as? Bool == true)
    }

    @Test("nullify empties the inverse of rows that stay")
    func nullify() throws {
        let stack = try stack()
        #expect(try stack.execute(delete("Author")) as? Int == 1)
        #expect(try stack.rows("SELECT COUNT(*), MIN(Z_OPT) FROM ZBOOK WHERE ZAUTHOR IS NULL") == [["6", "2"]])
        let changes = try #require(try stack.history().last?.changes)
        #expect(changes.filter { $0.changeType == .delete }.map(\.changedObjectID.entity.name) == ["Author"])
        let updates = changes.filter { $0.changeType == .update }
        #expect(updates.count == 6)
        #expect(updates.allSatisfy { $0.updatedProperties?.map(\.name) == ["author"] })
    }

    @Test(
        "merged by its IDs, it is no conflict of what led to what has gone, changed before or after",
        arguments: [false, true])
    @MainActor
    func mergedNullify(isChild: Bool) throws {
        let stack = try stack()
        let root = NSManagedObjectContext(.mainQueue)
        root.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        var context = root
        if isChild {
            context = NSManagedObjectContext(.mainQueue)
            context.parent = root
        }
        let books = try context.all("Book", sort: "copies")
        let author = try #require(books[0].value(forKey: "author") as? NSManagedObject)
        for book in books.dropFirst(2) { #expect(book.value(forKey: "author") as? NSManagedObject === author) }
        books[2].setValue("Before", forKey: "title")
        let request = NSBatchDeleteRequest(objectIDs: [author.objectID])
        request.resultType = .resultTypeObjectIDs
        let ids = try #require(try stack.execute(request) as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: isChild ? [root, context] : [context])
        for book in books { #expect(book.value(forKey: "author") == nil) }
        books[0].setValue("After", forKey: "title")
        books[3].setValue("After, too", forKey: "title")
        try context.save()
        if isChild { try root.save() }
        let reader = stack.anotherContext()
        #expect(
            try reader.all("Book", sort: "copies").map { $0.text("title") }
                == ["After", "Book 1", "Before", "After, too", "Book 4", "Book 5"])
    }

    @Test("merged by its IDs, it takes out of rows what the context hasn't looked at", arguments: [false, true])
    @MainActor
    func mergedUnregistered(isPrefetched: Bool) throws {
        let stack = try stack()
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        let request = NSFetchRequest<NSManagedObject>(entityName: isPrefetched ? "Genre" : "Book")
        request.returnsObjectsAsFaults = false
        if isPrefetched { request.relationshipKeyPathsForPrefetching = ["books"] }
        let found = try context.fetch(request)
        let deletion = delete(isPrefetched ? "Book" : "Author", isPrefetched ? "copies < 2" : nil)
        deletion.resultType = .resultTypeObjectIDs
        let ids = try #require(try stack.execute(deletion) as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
        if isPrefetched {
            #expect(found[0].members("books").count == 4)
        } else {
            for book in found { #expect(book.value(forKey: "author") == nil) }
        }
    }

    @Test("cascade takes along what the relationship leads to")
    func cascade() throws {
        let stack = try stack()
        let book = try #require(try stack.context.all("Book").first)
        for number in 0..<3 {
            let member = stack.context.make("Member", ["name": "M\(number)", "card": number])
            for _ in 0..<2 {
                stack.context.make("Loan", ["due": Date(), "lent": Date(), "book": book, "member": member])
            }
        }
        try stack.context.save()
        #expect(try stack.execute(delete("Member", "card < 2")) as? Int == 2)
        #expect(try stack.rows("SELECT COUNT(*) FROM ZLOAN") == [["2"]])
        #expect(try stack.history().last?.changes?.count == 6)
    }

    @Test("deny, and a mandatory inverse, fail and delete nothing")
    func forbidden() throws {
        let stack = try stack()
        let book = try #require(try stack.context.all("Book", "copies == 1").first)
        let member = stack.context.make("Member", ["name": "M", "card": 1])
        stack.context.make("Loan", ["due": Date(), "lent": Date(), "book": book, "member": member])
        try stack.context.save()
        #expect(thrownCode { try stack.context.execute(delete("Book")) } == NSValidationRelationshipDeniedDeleteError)
        #expect(thrownText { try stack.context.execute(delete("Book")) }.contains("'loans'"))
        #expect(try stack.rows("SELECT COUNT(*) FROM ZBOOK") == [["6"]])
        let model = try Library.model()
        let relationship = try #require(
            model.entitiesByName["Member"]?.relationshipsByName["loans"])
        relationship.deleteRule = .nullifyDeleteRule
        let strict = try TrackedStack(tracksHistory: false, model: model)
        let lent = strict.context.makeBook("Lent")
        let reader = strict.context.make("Member", ["name": "M", "card": 1])
        strict.context.make("Loan", ["due": Date(), "lent": Date(), "book": lent, "member": reader])
        try strict.context.save()
        #expect(
            thrownText { try strict.context.execute(delete("Member")) }
                .contains("Batch delete failed due to mandatory OTO nullify inverse on Loan/member"))
        #expect(try strict.rows("SELECT COUNT(*) FROM ZMEMBER") == [["1"]])
    }

    @Test("deleting many rows with relationships takes them in chunks")
    func many() throws {
        let stack = try TrackedStack()
        let author = stack.context.make("Author", ["name": "Ende"])
        try stack.context.save()
        let id = author.objectID
        let rows = (0..<25_000).map { ["title": "\($0)", "identifier": UUID(), "author": id] as [String: Any] }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
        #expect(try stack.execute(delete("Book")) as? Int == 25_000)
        #expect(try stack.rows("SELECT COUNT(*) FROM ZBOOK") == [["0"]])
        #expect(
            try stack.rows("SELECT ZCHANGETYPE, COUNT(*) FROM ACHANGE GROUP BY 1 ORDER BY 1")
                == [["0", "25001"], ["2", "25000"]])
    }
}
