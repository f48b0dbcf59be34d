import Foundation
import RandomFetches
import Testing

import class FoundationCompat.NSExpression

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Batch requests do the same in a PostgreSQL store and in a SQLite store")
struct BatchTests {
    private func count(_ result: NSPersistentStoreResult) -> Int {
        switch result {
        case let result as NSBatchInsertResult: result.result as? Int ?? -1
        case let result as NSBatchUpdateResult: result.result as? Int ?? -1
        case let result as NSBatchDeleteResult: result.result as? Int ?? -1
        default: -1
        }
    }

    private func insert(_ rows: [[String: Any]], in context: NSManagedObjectContext) throws -> Int {
        let request = NSBatchInsertRequest(entityName: "Note", objects: rows)
        request.resultType = .count
        return count(try context.execute(request))
    }

    @Test(
        "Inserted rows whose unique values are there follow the merge policy",
        arguments: [
            NSMergePolicyType.errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType, .rollbackMergePolicyType,
        ])
    func inserts(policy: NSMergePolicyType) throws {
        let twins = try Twins(NoteModel.make, policy: NSMergePolicy(merge: policy))
        let first = twins.both { try insert((0..<50).map { ["name": "\($0)", "text": "old"] }, in: $0) }
        #expect(first == ["50", "50"])
        let second = twins.both { context in
            try insert(
                [
                    ["name": "1", "text": "new"], ["name": "2"], ["name": "3", "text": NSNull()],
                    ["name": "x", "text": "a"],
                    ["name": "x", "text": "b"], ["text": "nameless"], ["text": "nameless too"],
                ], in: context)
        }
        #expect(second[0] == second[1])
        let contents = try twins.contents("Note", ["name", "text"])
        #expect(contents[0] == contents[1])
    }

    @Test("Many rows from a handler are inserted, each once, with their types")
    func manyRows() throws {
        let twins = try Twins(BooksModel.make)
        let answers = twins.both { context in
            var number = 0
            let request = NSBatchInsertRequest(entityName: "Book") { (row: NSMutableDictionary) in
                guard number < 10_000 else { return true }
                row["title"] = "book \(number)"
                row["pages"] = number
                row["price"] = NSDecimalNumber(string: "\(number).25")
                row["inPrint"] = number % 2 == 0
                row["identifier"] = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number % 256)))
                row["published"] = Date(timeIntervalSinceReferenceDate: Double(number) / 3)
                number += 1
                return false
            }
            request.resultType = .count
            return self.count(try context.execute(request))
        }
        #expect(answers == ["10000", "10000"])
        let contents = try twins.contents("Book", ["title", "pages", "price", "inPrint", "identifier", "published"])
        #expect(contents[0] == contents[1] && contents[0].count == 10_000)
    }

    @Test("Updates set constants and expressions on the rows that the predicate selects")
    func updates() throws {
        let twins = try Twins(BooksModel.make)
        let updates: [(NSPredicate?, [AnyHashable: Any])] = [
            (NSPredicate(format: "pages > 3"), ["title": "long", "inPrint": true]),
            (
                NSPredicate(format: "author.name != nil"),
                ["pages": NSExpression(format: "pages + 1"), "subtitle": NSNull()]
            ),
            (NSPredicate(format: "title CONTAINS[c] 'A'"), ["score": NSExpression(format: "score * 2")]),
            (nil, ["copies": 7, "price": NSExpression(forConstantValue: NSDecimalNumber(string: "1.5"))]),
            (NSPredicate(format: "pages / (copies - copies) == nil AND title LIKE[c] '*a*'"), ["subtitle": "divided"]),
            (nil, ["nothing": 1]), (nil, ["pages": "text"]),
        ]
        _ = twins.both { context in
            var values = RandomValues(seed: 3)
            values.fill(context, context.persistentStoreCoordinator!.managedObjectModel, objects: 200)
            try context.save()
            return 0
        }
        for (predicate, properties) in updates {
            let answers = twins.both { context in
                let request = NSBatchUpdateRequest(entityName: "Book")
                request.predicate = predicate
                request.propertiesToUpdate = properties
                request.resultType = .updatedObjectsCountResultType
                return self.count(try context.execute(request))
            }
            #expect(answers[0] == answers[1], "\(properties)")
            let contents = try twins.contents(
                "Book", ["title", "subtitle", "pages", "copies", "price", "score", "inPrint"])
            #expect(contents[0] == contents[1], "\(properties)")
        }
    }

    @Test("Deletes follow the delete rules, and leave nothing that leads to what has gone")
    func deletes() throws {
        let rules: [NSDeleteRule] = [.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
        for rule in rules {
            let twins = try Twins {
                let model = NoteModel.make()
                model.entitiesByName["Folder"]?.relationshipsByName["notes"]?.deleteRule = rule
                return model
            }
            _ = twins.both { context in
                let folders = (0..<4).map { NoteModel.object("Folder", "\($0)", in: context) }
                let labels = (0..<3).map { NoteModel.object("Label", "l\($0)", in: context) }
                for number in 0..<12 {
                    let note = NoteModel.note("n\(number)", in: context)
                    if number % 4 != 3 { note.setValue(folders[number % 4], forKey: "folder") }
                    note.setValue(Set(labels.prefix(number % 4)), forKey: "labels")
                }
                try context.save()
                return 0
            }
            for format in ["name == '3'", "name IN {'0', '1'}", "name LIKE[c] '2'"] {
                let answers = twins.both { context in
                    let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Folder")
                    fetch.predicate = NSPredicate(format: format)
                    let request = NSBatchDeleteRequest(fetchRequest: fetch)
                    request.resultType = .resultTypeCount
                    return self.count(try context.execute(request))
                }
                #expect(answers[0] == answers[1], "\(rule.rawValue) \(format)")
                for (entity, keys) in [("Note", ["name", "folder.name", "labels"]), ("Folder", ["name", "notes"])] {
                    let contents = try twins.contents(entity, keys)
                    #expect(contents[0] == contents[1], "\(rule.rawValue) \(format)")
                }
            }
            _ = twins.both { context in
                try context.execute(
                    NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Label")))
                return 0
            }
            let contents = try twins.contents("Note", ["name", "labels"])
            #expect(contents[0] == contents[1])
        }
    }
}
