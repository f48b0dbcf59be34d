import CoreData
import Foundation
import Testing

@Suite("Batch inserts")
struct BatchInsertTests {
    private func member(_ number: Int) -> [String: Any] { ["name": "Member \(number)", "card": number] }

    @Test("dictionaries become rows, with the model's defaults where they say nothing")
    func dictionaries() throws {
        let stack = try TrackedStack(tracksHistory: false)
        let request = NSBatchInsertRequest(entityName: "Member", objects: (0..<100).map(member))
        request.resultType = .count
        #expect(try stack.execute(request) as? Int == 100)
        let members = try stack.context.all("Member", sort: "card")
        #expect(members.map { $0.text("name") } == (0..<100).map { "Member \($0)" })
        #expect(members.allSatisfy { $0.value(forKey: "isActive") as? Bool == true })
        #expect(
            try stack.rows("SELECT MIN(Z_OPT), MAX(Z_OPT), MIN(Z_ENT), MAX(Z_PK) FROM ZMEMBER") == [
                ["1", "1", "6", "100"]
            ])
        #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Member'") == [["100"]])
    }

    @Test("every type of attribute goes in as a context would have saved it")
    func types() throws {
        let stack = try TrackedStack(tracksHistory: false)
        let values: [String: Any] = [
            "title": "Momo", "copies": 3, "inPrint": false, "pages": NSNumber(value: 304),
            "price": Decimal(string: "12.75")!, "published": Date(timeIntervalSinceReferenceDate: -12345.5),
            "rating": 4.5,
        ]
        try stack.context.execute(
            NSBatchInsertRequest(
                entityName: "Book", objects: [values.merging(["identifier": UUID()]) { $1 }]))
        stack.context.makeBook("Momo", values)
        try stack.context.save()
        let columns =
            "ZTITLE, ZIDENTIFIER IS NULL, ZCOPIES, ZINPRINT, ZPAGES, typeof(ZPRICE), ZPRICE, ZPUBLISHED, ZRATING"
        let rows = try stack.rows("SELECT \(columns) FROM ZBOOK")
        #expect(rows.count == 2 && rows[0] == rows[1])
        let author: [String: Any] = [
            "name": "Michael Ende", "portrait": Data([1, 2, 3]), "website": URL(string: "https://example.org/ende")!,
            "born": NSNull(),
        ]
        try stack.context.execute(NSBatchInsertRequest(entityName: "Author", objects: [author]))
        #expect(
            try stack.rows("SELECT ZNAME, ZPORTRAIT, ZWEBSITE, ZBORN FROM ZAUTHOR")
                == [["Michael Ende", "010203", "https://example.org/ende", nil]])
    }

    @Test("a dictionary handler is called until it says that there are no more")
    func dictionaryHandler() throws {
        let stack = try TrackedStack(tracksHistory: false)
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Member") { (row: NSMutableDictionary) in
            if number == 50 { return true }
            row["name"] = "Member \(number)"
            row["card"] = number
            row["email"] = "x"
            if number.isMultiple(of: 2) { row.removeObject(forKey: "email") }
            number += 1
            return false
        }
        request.resultType = .objectIDs
        let ids = try stack.execute(request) as? [NSManagedObjectID] ?? []
        #expect(ids.count == 50 && Set(ids).count == 50)
        #expect(try stack.context.existingObject(with: ids[7]).text("name") == "Member 7")
        #expect(try stack.rows("SELECT COUNT(*), COUNT(ZEMAIL) FROM ZMEMBER") == [["50", "25"]])
    }

    @Test("a handler that saves a context gets an error, and the insert goes on", arguments: [true, false])
    func savingHandler(onQueueOfItsOwn: Bool) throws {
        let stack = try TrackedStack(tracksHistory: false)
        let other = NSManagedObjectContext(onQueueOfItsOwn ? .privateQueue : .mainQueue)
        other.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        let saving = onQueueOfItsOwn ? other : stack.context
        var number = 0
        var failure: (any Error)?
        let request = NSBatchInsertRequest(entityName: "Member") { (row: NSMutableDictionary) in
            if number == 3 { return true }
            row["name"] = "Member \(number)"
            row["card"] = number
            number += 1
            do {
                try saving.performAndWait {
                    if saving.insertedObjects.isEmpty { saving.makeBook("Momo") }
                    try saving.save()
                }
            } catch {
                failure = error
            }
            return false
        }
        request.resultType = .count
        #expect(try stack.execute(request) as? Int == 3)
        #expect((failure as? NSError)?.code == NSPersistentStoreOperationError, "\(failure as Any)")
        try saving.performAndWait { try saving.save() }
        #expect(try stack.rows("SELECT COUNT(*) FROM ZBOOK") == [["1"]])
    }

    @Test("a managed object handler gets one object after another without what the last one had")
    func objectHandler() throws {
        let stack = try TrackedStack(tracksHistory: false)
        var number = 0
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Member"])
        let request = NSBatchInsertRequest(entity: entity) { (object: NSManagedObject) in
            guard number < 50 else { return true }
            object.setValue("Member \(number)", forKey: "name")
            object.setValue(number, forKey: "card")
            if number.isMultiple(of: 2) { object.setValue("x", forKey: "email") }
            number += 1
            return false
        }
        #expect(try stack.execute(request) as? Bool == true)
        #expect(
            try stack.rows("SELECT COUNT(*), COUNT(ZEMAIL), SUM(ZCARD), SUM(ZISACTIVE) FROM ZMEMBER")
                == [["50", "25", "1225", "50"]])
        #expect(!stack.context.hasChanges)
    }

    @Test("rows of a subentity get its number and the keys of the root")
    func inheritance() throws {
        let stack = try TrackedStack()
        let book = stack.context.makeBook("A book")
        try stack.context.save()
        let request = NSBatchInsertRequest(
            entityName: "AudioBook", objects: [["title": "Heard", "identifier": UUID(), "narrator": "Someone"]])
        request.resultType = .objectIDs
        let ids = try stack.execute(request) as? [NSManagedObjectID] ?? []
        #expect(ids.map(\.entity.name) == ["AudioBook"])
        #expect(try stack.context.all("Book", sort: "title").map { $0.text("title") } == ["A book", "Heard"])
        #expect(book.objectID != ids[0])
        #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == [["2"]])
    }

    @Test("a nil that was put into a dictionary is null, in updates too")
    func nilInside() throws {
        let stack = try TrackedStack(tracksHistory: false)
        let (born, website, portrait): (Date?, URL?, Data?) = (nil, nil, Data([1]))
        let author: [String: Any] = [
            "name": "Ende" as String? as Any, "born": born as Any, "website": website as Any,
            "portrait": portrait as Any,
        ]
        try stack.context.execute(NSBatchInsertRequest(entityName: "Author", objects: [author]))
        var rest = [author]
        try stack.context.execute(
            NSBatchInsertRequest(entityName: "Author") { (row: NSMutableDictionary) in
                guard let next = rest.popLast() else { return true }
                for (key, value) in next { row[key] = value }
                return false
            })
        let query = "SELECT ZNAME, ZBORN, ZWEBSITE, ZPORTRAIT FROM ZAUTHOR"
        let row: [String?] = ["Ende", nil, nil, "01"]
        #expect(try stack.rows(query) == [row, row])
        let owner: NSManagedObjectID? = nil
        let book: [String: Any] = ["title": "Momo", "identifier": UUID(), "author": owner as Any]
        try stack.context.execute(NSBatchInsertRequest(entityName: "Book", objects: [book]))
        #expect(try stack.rows("SELECT ZAUTHOR FROM ZBOOK") == [[nil]])
        let update = NSBatchUpdateRequest(entityName: "Author")
        update.propertiesToUpdate = ["portrait": born as Any]
        try stack.context.execute(update)
        #expect(try stack.rows("SELECT COUNT(ZPORTRAIT) FROM ZAUTHOR") == [["0"]])
    }

    @Test("a to-one takes the ID of a saved object of the right entity")
    func toOne() throws {
        let stack = try TrackedStack(tracksHistory: false)
        let author = stack.context.make("Author", ["name": "Ende"])
        let genre = stack.context.make("Genre", ["name": "Fantasy"])
        try stack.context.save()
        let book: [String: Any] = ["title": "Momo", "identifier": UUID()]
        try stack.context.execute(
            NSBatchInsertRequest(entityName: "Book", objects: [book.merging(["author": author.objectID]) { $1 }]))
        #expect(try stack.context.all("Book").first?.value(forKeyPath: "author.name") as? String == "Ende")
        let wrong = NSBatchInsertRequest(entityName: "Book", objects: [book.merging(["author": genre.objectID]) { $1 }])
        #expect(thrownText { try stack.context.execute(wrong) }.contains("leads to Author, not to Genre"))
    }

    @Test("what can't be inserted is an error that names row and key, and leaves the store as it was")
    func errors() throws {
        let stack = try TrackedStack()
        func text(_ entity: String, _ row: [String: Any]) -> String {
            thrownText {
                try stack.context.execute(NSBatchInsertRequest(entityName: entity, objects: [member(1), row]))
            }
        }
        #expect(text("Member", ["nam": "x"]).contains("row 1 of a batch insert into Member: 'nam'"))
        #expect(text("Member", ["nam": "x"]).contains("Did you mean 'name'?"))
        #expect(text("Member", ["card": "seven"]).contains("'card' takes a"))
        #expect(text("Member", ["loans": NSSet()]).contains("to-many"))
        #expect(text("Nobody", [:]).contains("Nobody"))
        #expect(try stack.rows("SELECT COUNT(*) FROM ZMEMBER") == [["0"]])
        #expect(try stack.history().isEmpty)
        #expect(
            thrownCode { try stack.context.execute(NSBatchInsertRequest(entityName: "Member", objects: [])) } == nil)
        let object = stack.context.make("Member", member(3))
        let handled = NSBatchInsertRequest(entityName: "Loan") { (loan: NSManagedObject) in
            loan.setValue(object, forKey: "member")
            return false
        }
        #expect(thrownText { try stack.context.execute(handled) }.contains("'member' is a relationship"))
    }

    // MARK: Uniqueness

    private func genres(_ policy: NSMergePolicy) throws -> (stack: TrackedStack, request: NSBatchInsertRequest) {
        let stack = try TrackedStack()
        stack.context.make("Genre", ["name": "Gothic", "shelf": 1])
        stack.context.make("Genre", ["name": "Satire", "shelf": 2])
        try stack.context.save()
        stack.context.mergePolicy = policy
        let request = NSBatchInsertRequest(
            entityName: "Genre",
            objects: [["name": "Gothic", "shelf": 10], ["name": "New", "shelf": 3], ["name": "Satire"]])
        request.resultType = .objectIDs
        return (stack, request)
    }

    @Test("unique values that are there already fail by default, and nothing is inserted")
    func errorPolicy() throws {
        let (stack, request) = try genres(.error)
        #expect(thrownCode { try stack.context.execute(request) } == NSManagedObjectConstraintMergeError)
        #expect(try stack.rows("SELECT COUNT(*) FROM ZGENRE") == [["2"]])
        #expect(try stack.history().count == 1)
    }

    @Test("with the object's values winning, the stored row takes on what isn't nil")
    func objectTrump() throws {
        let (stack, request) = try genres(.mergeByPropertyObjectTrump)
        let ids = try #require(try stack.execute(request) as? [NSManagedObjectID])
        #expect(ids.count == 3)
        #expect(
            try stack.rows("SELECT ZNAME, ZSHELF, Z_OPT FROM ZGENRE ORDER BY ZNAME")
                == [["Gothic", "10", "2"], ["New", "3", "1"], ["Satire", "2", "2"]])
        #expect(
            try stack.rows("SELECT MAX(Z_PK) = (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Genre') FROM ZGENRE")
                == [["1"]])
        let changes = try #require(try stack.history().last?.changes)
        #expect(changes.map(\.changeType) == [.update, .insert, .update])
        #expect(changes.map(\.changedObjectID) == ids)
        #expect(changes[0].updatedProperties.map { Set($0.map(\.name)) } == ["name", "shelf"])
    }

    @Test("an explicit null empties the stored value; overwriting empties whatever is missing")
    func emptying() throws {
        let (stack, _) = try genres(.mergeByPropertyObjectTrump)
        let row: [String: Any] = ["name": "Gothic", "shelf": NSNull()]
        try stack.context.execute(NSBatchInsertRequest(entityName: "Genre", objects: [row]))
        stack.context.mergePolicy = NSMergePolicy.overwrite
        try stack.context.execute(NSBatchInsertRequest(entityName: "Genre", objects: [["name": "Satire"]]))
        #expect(
            try stack.rows("SELECT ZNAME, ZSHELF FROM ZGENRE ORDER BY ZNAME") == [["Gothic", nil], ["Satire", nil]])
    }

    @Test(
        "with the store winning, its rows stay as they are",
        arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func storeTrump(_ policy: NSMergePolicy) throws {
        let (stack, request) = try genres(policy)
        let ids = try #require(try stack.execute(request) as? [NSManagedObjectID])
        #expect(ids.count == 1)
        #expect(
            try stack.rows("SELECT ZNAME, ZSHELF, Z_OPT FROM ZGENRE ORDER BY ZNAME")
                == [["Gothic", "1", "1"], ["New", "3", "1"], ["Satire", "2", "1"]])
    }

    @Test("unique values that rows of one request share are treated the same way")
    func duplicatesWithin() throws {
        let stack = try TrackedStack(tracksHistory: false)
        let rows: [[String: Any]] = [["name": "A", "shelf": 1], ["name": "A", "shelf": 2]]
        #expect(
            thrownCode { try stack.context.execute(NSBatchInsertRequest(entityName: "Genre", objects: rows)) }
                == NSManagedObjectConstraintMergeError)
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.execute(NSBatchInsertRequest(entityName: "Genre", objects: rows))
        #expect(try stack.rows("SELECT ZNAME, ZSHELF FROM ZGENRE") == [["A", "2"]])
    }

    @Test("a handler may read the store while it is called")
    func readingHandler() throws {
        let stack = try TrackedStack(tracksHistory: false)
        for number in 0..<3 { stack.context.make("Author", ["name": "Author \(number)"]) }
        try stack.context.save()
        let names = stack.anotherContext()
        let authors = try names.all("Author", sort: "name")
        var next = 0
        let request = NSBatchInsertRequest(entityName: "Member") { (row: NSMutableDictionary) in
            guard next < authors.count else { return true }
            row["name"] = authors[next].text("name")
            row["card"] = (try? names.all("Author").count) ?? -1
            next += 1
            return false
        }
        try stack.context.execute(request)
        #expect(try stack.rows("SELECT ZNAME, ZCARD FROM ZMEMBER ORDER BY ZNAME").map { $0[1] } == ["3", "3", "3"])
    }
}
