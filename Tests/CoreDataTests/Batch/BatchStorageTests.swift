import CoreData
import Foundation
import Testing

@Suite("Batch requests and what a store keeps beside plain values")
struct BatchStorageTests {
    private func long(_ byte: UInt8) -> Data { Data(repeating: byte, count: 150_000) }

    private func files(_ stack: TrackedStack) -> [String] {
        let folder = stack.folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// The first byte of each author's portrait, by name.
    private func portraits(_ stack: TrackedStack) throws -> [UInt8?] {
        let reader = stack.anotherContext()
        return try withExtendedLifetime(reader) {
            try reader.all("Author", sort: "name").map { ($0.value(forKey: "portrait") as? Data)?.first }
        }
    }

    @Test("long values get files of their own, which go with their rows and with failed requests")
    func externalValues() throws {
        let model = try Library.model(withFiles: true)
        model.entitiesByName["Author"]?.uniquenessConstraints = [["name"]]
        let stack = try TrackedStack(tracksHistory: false, model: model)
        let rows = (0..<4).map {
            ["name": "Author \($0)", "portrait": $0 == 3 ? Data([3]) : long(UInt8($0))] as [String: Any]
        }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Author", objects: rows))
        #expect(files(stack).count == 3)
        #expect(try portraits(stack) == [0, 1, 2, 3])
        // A failure in the last row takes the first one's file along.
        let failing = [["name": "New", "portrait": long(9)], ["name": "Author 1"]] as [[String: Any]]
        #expect(
            thrownCode { try stack.context.execute(NSBatchInsertRequest(entityName: "Author", objects: failing)) }
                == NSManagedObjectConstraintMergeError)
        #expect(files(stack).count == 3)
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.execute(
            NSBatchInsertRequest(entityName: "Author", objects: [["name": "Author 1", "portrait": long(7)]]))
        #expect(files(stack).count == 3)
        let update = NSBatchUpdateRequest(entityName: "Author")
        update.predicate = NSPredicate(format: "name IN {'Author 0', 'Author 2'}")
        update.propertiesToUpdate = ["portrait": long(8)]
        try stack.context.execute(update)
        #expect(files(stack).count == 1)
        #expect(try portraits(stack) == [8, 7, 8, 3])
        try stack.context.execute(
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author")))
        #expect(files(stack).isEmpty)
    }

    @Test("rows that join an ordered relationship come last in it")
    func ordered() throws {
        let stack = try TrackedStack(tracksHistory: false)
        let book = stack.context.makeBook("B")
        let member = stack.context.make("Member", ["name": "M", "card": 1])
        try stack.context.save()
        let rows = (0..<3).map { number in
            [
                "due": Date(), "lent": Date(timeIntervalSinceReferenceDate: Double(number)), "book": book.objectID,
                "member": member.objectID,
            ] as [String: Any]
        }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Loan", objects: rows))
        let reader = stack.anotherContext()
        let loans = try #require(try reader.all("Member").first?.value(forKey: "loans") as? NSOrderedSet)
        let lent = loans.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "lent") as? Date }
        #expect(lent.map(\.timeIntervalSinceReferenceDate) == [0, 1, 2])
        #expect(try stack.rows("SELECT COUNT(DISTINCT Z_FOK_MEMBER) FROM ZLOAN") == [["3"]])
    }

    @Test("derived attributes are kept up, and can't be set")
    func derived() throws {
        let model = try Library.model()
        let count = NSDerivedAttributeDescription()
        count.name = "bookCount"
        count.attributeType = .integer64AttributeType
        count.isOptional = true
        count.derivationExpression = NSExpression(format: "books.@count")
        let searched = NSDerivedAttributeDescription()
        searched.name = "searchName"
        searched.attributeType = .stringAttributeType
        searched.isOptional = true
        searched.derivationExpression = NSExpression(format: "uppercase:(name)")
        let author = try #require(model.entitiesByName["Author"])
        author.properties += [count, searched]
        let stack = try TrackedStack(tracksHistory: false, model: model)
        let insert = NSBatchInsertRequest(entityName: "Author", objects: [["name": "Ende"]])
        insert.resultType = .objectIDs
        let id = try #require((try stack.execute(insert) as? [NSManagedObjectID])?.first)
        let books = (0..<3).map { ["title": "\($0)", "identifier": UUID(), "author": id] as [String: Any] }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Book", objects: books))
        #expect(try stack.rows("SELECT ZBOOKCOUNT, ZSEARCHNAME FROM ZAUTHOR") == [["3", "ENDE"]])
        let rename = NSBatchUpdateRequest(entityName: "Author")
        rename.propertiesToUpdate = ["name": "Lindgren"]
        try stack.context.execute(rename)
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Book")
        fetch.predicate = NSPredicate(format: "title == '1'")
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try stack.rows("SELECT ZBOOKCOUNT, ZSEARCHNAME FROM ZAUTHOR") == [["2", "LINDGREN"]])
        let wrong = NSBatchInsertRequest(entityName: "Author", objects: [["name": "X", "bookCount": 7]])
        #expect(thrownText { try stack.context.execute(wrong) }.contains("is derived"))
    }

    @Test("a composite attribute takes a dictionary or a path to one element")
    func composite() throws {
        let model = try Library.model()
        let place = NSCompositeAttributeDescription()
        place.name = "birthplace"
        place.isOptional = true
        place.elements = ["town", "country"].map { name in
            let element = NSAttributeDescription()
            element.name = name
            element.attributeType = .stringAttributeType
            element.isOptional = true
            return element
        }
        try #require(model.entitiesByName["Author"]).properties.append(place)
        let stack = try TrackedStack(tracksHistory: false, model: model)
        let rows: [[String: Any]] = [
            ["name": "Ende", "birthplace": ["town": "Garmisch", "country": "DE"]],
            ["name": "Lindgren", "birthplace.town": "Vimmerby"],
        ]
        try stack.context.execute(NSBatchInsertRequest(entityName: "Author", objects: rows))
        let update = NSBatchUpdateRequest(entityName: "Author")
        update.predicate = NSPredicate(format: "birthplace.country == nil")
        update.propertiesToUpdate = ["birthplace.country": "SE"]
        try stack.context.execute(update)
        #expect(
            try stack.rows("SELECT ZTOWN, ZCOUNTRY FROM ZAUTHOR ORDER BY ZNAME")
                == [["Garmisch", "DE"], ["Vimmerby", "SE"]])
    }
}
