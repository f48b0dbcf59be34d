import Foundation
import RandomFetches
import Testing

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Dictionary results are the same from a PostgreSQL store and from a SQLite store")
struct DictionaryTests {
    private static func column(_ name: String, _ format: String, _ type: NSAttributeType) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        description.expressionResultType = type
        return description
    }

    /// Makes the request anew for each store, as a request is bound to the model that it was used with.
    private struct Case: CustomTestStringConvertible {
        let testDescription: String
        let entity: String
        let configure: (NSFetchRequest<NSDictionary>) -> Void

        init(_ name: String, _ entity: String = "Book", _ configure: @escaping (NSFetchRequest<NSDictionary>) -> Void) {
            testDescription = name
            self.entity = entity
            self.configure = configure
        }
    }

    private static var cases: [Case] {
        [
            Case("all properties") { _ in },
            Case("some properties, over a to-one") {
                $0.propertiesToFetch = ["title", "author.name", "inPrint", "rating"]
            },
            Case("distinct") {
                $0.propertiesToFetch = ["inPrint", "copies"]
                $0.returnsDistinctResults = true
            },
            Case("distinct and sorted by another column") {
                $0.propertiesToFetch = ["copies"]
                $0.returnsDistinctResults = true
                $0.sortDescriptors = [NSSortDescriptor(key: "copies", ascending: false)]
            },
            Case("aggregates over all") {
                $0.propertiesToFetch = [
                    column("n", "count:(title)", .integer64AttributeType),
                    column("s", "sum:(pages)", .integer64AttributeType),
                    column("a", "average:(pages)", .doubleAttributeType),
                    column("least", "min:(score)", .doubleAttributeType),
                    column("most", "max:(published)", .dateAttributeType),
                    column("price", "sum:(price)", .decimalAttributeType),
                ]
            },
            Case("groups with a condition") {
                $0.propertiesToGroupBy = ["copies"]
                $0.propertiesToFetch = ["copies", column("total", "sum:(pages)", .integer64AttributeType)]
                $0.havingPredicate = NSPredicate(format: "total > 5")
                $0.sortDescriptors = [NSSortDescriptor(key: "copies", ascending: true)]
            },
            Case("groups by a truth value, with medians") {
                $0.propertiesToGroupBy = ["inPrint"]
                $0.propertiesToFetch = ["inPrint", column("middle", "median:(pages)", .doubleAttributeType)]
            },
            Case("groups over a to-one, with the greatest UUID") {
                $0.propertiesToGroupBy = ["author.name"]
                $0.propertiesToFetch = ["author.name", column("m", "max:(title)", .stringAttributeType)]
            },
            Case("computed values") {
                $0.propertiesToFetch = [
                    column("x", "pages * 2 + copies", .integer64AttributeType),
                    column("y", "score / 2", .doubleAttributeType),
                    column("z", "uppercase(title)", .stringAttributeType),
                    column("r", "pages / copies", .integer64AttributeType),
                ]
            },
            Case("counts of to-manys", "Author") {
                $0.propertiesToFetch = ["name", "books.@count", "books.@sum.pages", "address.city"]
            },
            Case("objects and entities") {
                $0.predicate = NSPredicate(format: "author.name CONTAINS[c] 'a' AND pages > 0")
                $0.propertiesToFetch = ["title", "identifier", "cover"]
            },
        ]
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        // The last digit of a sum depends on the order of the rows.
        case let number as NSNumber where !(number is NSDecimalNumber): String(format: "%.9g", number.doubleValue)
        case let date as Date: String(format: "%.6f", date.timeIntervalSinceReferenceDate)
        case let id as NSManagedObjectID: id.entity.name ?? ""
        case let value?: "\(value)"
        case nil: "nil"
        }
    }

    @Test("for every way to ask")
    func results() throws {
        let twins = try Twins(BooksModel.make)
        _ = twins.both { context in
            var values = RandomValues(seed: 11)
            values.fill(context, context.persistentStoreCoordinator!.managedObjectModel, objects: 300)
            try context.save()
            return 0
        }
        for request in Self.cases {
            let answers = [twins.server, twins.file].map { context in
                context.performAndWait { () -> [String] in
                    let fetch = NSFetchRequest<NSDictionary>(entityName: request.entity)
                    fetch.resultType = .dictionaryResultType
                    request.configure(fetch)
                    do {
                        let count = try context.count(for: fetch)
                        let rows = try context.fetch(fetch).map { row in
                            let keys = row.allKeys.compactMap { $0 as? String }.sorted()
                            return keys.map { "\($0)=\(Self.text(row[$0]))" }.joined(separator: " ")
                        }
                        return ["\(count)"] + (fetch.sortDescriptors == nil ? rows.sorted() : rows)
                    } catch let error as NSError {
                        return ["error \(error.code)"]
                    }
                }
            }
            #expect(answers[0].count > 1, "\(request.testDescription): \(answers[0])")
            if answers[0] != answers[1] {
                let different = zip(answers[0], answers[1]).first { $0 != $1 }
                Issue.record(
                    "\(request.testDescription): \(answers[0].count) and \(answers[1].count) rows, \(String(describing: different))"
                )
            }
        }
    }
}
