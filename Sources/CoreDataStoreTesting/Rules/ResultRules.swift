import CoreData
import Foundation

extension StoreRule {
    static let resultRules: [StoreRule] = [
        StoreRule("A fetch for IDs gives the IDs of the objects, in the same order") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
                request.resultType = .managedObjectIDResultType
                request.predicate = NSPredicate(format: "pages > 200")
                request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
                let ids = try context.fetch(request)
                let objects = try context.all("Book", "pages > 200", sort: "pages")
                trial.expectEqual(ids, objects.map(\.objectID), "IDs")
            }
        },
        StoreRule("A fetch for the count gives the number of objects") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                for (entity, count) in [("Item", 8), ("Book", 6), ("Film", 2), ("Genre", 3), ("Sample", 0)] {
                    let request = NSFetchRequest<NSNumber>(entityName: entity)
                    request.resultType = .countResultType
                    trial.expectEqual(try context.fetch(request).map(\.intValue), [count], "the count of \(entity)")
                    let objects = NSFetchRequest<NSManagedObject>(entityName: entity)
                    trial.expectEqual(try context.count(for: objects), count, "count(for:) of \(entity)")
                }
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = NSPredicate(format: "pages > 200")
                trial.expectEqual(try context.count(for: request), 4, "the count of books with more than 200 pages")
            }
        },
        StoreRule("A fetch for dictionaries gives the properties that were asked for") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let rows = try dictionaries(["name", "pages", "author.name"], in: context) {
                    $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
                    $0.predicate = NSPredicate(format: "number <= 2 OR number == 6")
                }
                let expected = [
                    "{author.name: \"Ursula\", name: \"Tehanu\", pages: 281}",
                    "{author.name: \"Ursula\", name: \"Rocannon\", pages: 117}", "{name: \"Beowulf\"}",
                ]
                trial.expectEqual(rows, expected, "dictionaries; a key whose value is nil is left out")
            }
        },
        StoreRule("Dictionaries can be distinct, grouped and aggregated, and groups left out") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let authors = try dictionaries(["author.name"], in: context) {
                    $0.returnsDistinctResults = true
                    $0.predicate = NSPredicate(format: "author != nil")
                }
                trial.expectEqual(
                    authors.sorted(), ["Octavia", "Stanisław", "Ursula"].map { "{author.name: \"\($0)\"}" },
                    "distinct authors")
                let sums = try dictionaries(["author.name", total("sum:", "pages")], in: context) {
                    $0.propertiesToGroupBy = ["author.name"]
                    $0.predicate = NSPredicate(format: "author != nil")
                }
                trial.expectEqual(
                    sums.sorted(),
                    [
                        "{author.name: \"Octavia\", total: 264}", "{author.name: \"Stanisław\", total: 526}",
                        "{author.name: \"Ursula\", total: 398}",
                    ], "pages by author")
                let many = try dictionaries(["author.name", total("count:", "name")], in: context) {
                    $0.propertiesToGroupBy = ["author.name"]
                    $0.predicate = NSPredicate(format: "author != nil")
                    $0.havingPredicate = NSPredicate(format: "total > 1")
                }
                trial.expectEqual(
                    many.sorted(), ["{author.name: \"Stanisław\", total: 2}", "{author.name: \"Ursula\", total: 2}"],
                    "authors with more than one book")
                let largest = try dictionaries([total("max:", "pages")], in: context) { _ in }
                trial.expectEqual(largest, ["{total: 322}"], "the largest number of pages")
            }
        },
    ]

    private static func dictionaries(
        _ properties: [Any], in context: NSManagedObjectContext, _ configure: (NSFetchRequest<NSDictionary>) -> Void
    ) throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        configure(request)
        return try context.fetch(request).map { SampleValue.text($0 as? [String: Any]) }
    }

    private static func total(_ function: String, _ key: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = "total"
        description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType = .integer64AttributeType
        return description
    }
}
