import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@Suite("Dictionary requests as programs write them answer the same in every type of store")
struct DictionaryIdiomTests {
    private func column(
        _ name: String, _ expression: NSExpression, _ type: NSAttributeType = .undefinedAttributeType
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        description.expressionResultType = type
        return description
    }

    private func call(_ function: String, _ keyPath: String) -> NSExpression {
        NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: keyPath)])
    }

    @Test(
        "Grouped sums are sorted by, under a name of their own or that of the property", arguments: ["total", "words"])
    func sortedSums(_ name: String) throws {
        let answers = try ArticleStores().dictionaries(["kind", name]) { request in
            request.propertiesToGroupBy = ["kind"]
            request.propertiesToFetch = ["kind", column(name, call("sum:", "words"), .integer64AttributeType)]
            request.sortDescriptors = [NSSortDescriptor(key: name, ascending: false)]
        }
        #expect(answers == ArticleStores.all(["blog:600", "news:300", "essay:50"]))
    }

    @Test("Collection operators are columns over all objects, or over a group")
    func operators() throws {
        let stores = try ArticleStores()
        let whole = try stores.dictionaries(["@sum.words", "greatest", "number"]) { request in
            request.propertiesToFetch = [
                "@sum.words", column("greatest", NSExpression(forKeyPath: "@max.words")),
                column("number", call("count:", "title")),
            ]
        }
        #expect(whole == ArticleStores.all(["950:300:5"]))
        let grouped = try stores.dictionaries(["kind", "sum"]) { request in
            request.propertiesToGroupBy = ["kind"]
            request.propertiesToFetch = ["kind", column("sum", NSExpression(forKeyPath: "@sum.words"))]
            request.havingPredicate = NSPredicate(format: "@sum.words > 100")
            request.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: true)]
        }
        #expect(grouped == ArticleStores.all(["blog:600", "news:300"]))
    }

    @Test("Medians and standard deviations, in groups and of decimals")
    func statistics() throws {
        let stores = try ArticleStores()
        let answers = try stores.dictionaries(["kind", "median", "spread"]) { request in
            request.propertiesToGroupBy = ["kind"]
            request.propertiesToFetch = [
                "kind", column("median", call("median:", "words"), .doubleAttributeType),
                column("spread", call("stddev:", "words"), .doubleAttributeType),
            ]
            request.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: true)]
        }
        let (fifty, fifteen) = (NSNumber(value: 50.0), NSNumber(value: 0.0))
        let blog = "blog:\(NSNumber(value: 300.0)):\(fifteen)"
        #expect(
            answers
                == ArticleStores.all([blog, "essay:\(fifty):\(fifteen)", "news:\(NSNumber(value: 150.0)):\(fifty)"]))
        let decimals = try stores.dictionaries(["median"]) { request in
            request.propertiesToFetch = [column("median", call("median:", "price"), .doubleAttributeType)]
        }
        #expect(decimals == ArticleStores.all(["14.745"]))
    }

    @Test("count(for:) counts the dictionaries of distinct and grouped requests")
    func counts() throws {
        let stores = try ArticleStores()
        let counts = try stores.answers { context -> [Int] in
            let request = NSFetchRequest<NSDictionary>(entityName: "Article")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["kind"]
            let all = try context.count(for: request)
            request.returnsDistinctResults = true
            let distinct = try context.count(for: request)
            request.returnsDistinctResults = false
            request.propertiesToGroupBy = ["kind"]
            let groups = try context.count(for: request)
            request.fetchOffset = 2
            return [all, distinct, groups, try context.count(for: request)]
        }
        #expect(counts == ArticleStores.all([5, 3, 3, 1]))
    }

    @Test("Dictionaries of two stores are merged: sorted, distinct, grouped, paged and counted as of one")
    func severalStores() throws {
        for types in [[NSSQLiteStoreType, NSSQLiteStoreType], [NSInMemoryStoreType, NSSQLiteStoreType]] {
            let stores = try ArticleStores([])
            let context = try stores.makeContext(model: ArticleStores.makeModel())
            for (index, type) in types.enumerated() {
                let store = try #require(try stores.add(type, to: context))
                try context.performAndWait {
                    for number in 1...3 {
                        let article = NSEntityDescription.insertNewObject(forEntityName: "Article", into: context)
                        article.setValuesForKeys([
                            "title": "\(number)", "words": number * 10 + index, "kind": number > 2 ? "blog" : "news",
                        ])
                        context.assign(article, to: store)
                    }
                    try context.save()
                }
            }
            func rows(_ keys: [String], _ configure: (NSFetchRequest<NSDictionary>) -> Void) throws -> [String] {
                try context.performAndWait {
                    let request = NSFetchRequest<NSDictionary>(entityName: "Article")
                    request.resultType = .dictionaryResultType
                    configure(request)
                    let rows = try context.fetch(request)
                    #expect(try context.count(for: request) == rows.count)
                    return rows.map { row in keys.map { "\(row[$0] ?? "nil")" }.joined(separator: ":") }
                }
            }
            let sorted = try rows(["title"]) { request in
                request.propertiesToFetch = ["title"]
                request.predicate = NSPredicate(format: "words > 10")
                request.sortDescriptors = [NSSortDescriptor(key: "words", ascending: false)]
                request.fetchLimit = 3
                request.fetchOffset = 1
            }
            #expect(sorted == ["3", "2", "2"])
            let distinct = try rows(["kind"]) { request in
                request.propertiesToFetch = ["kind"]
                request.returnsDistinctResults = true
                request.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: true)]
            }
            #expect(distinct == ["blog", "news"])
            let grouped = try rows(["kind", "total", "mean"]) { request in
                request.propertiesToGroupBy = ["kind"]
                request.propertiesToFetch = [
                    "kind", column("total", call("sum:", "words"), .integer64AttributeType),
                    column("mean", call("average:", "words"), .doubleAttributeType),
                ]
                request.havingPredicate = NSPredicate(format: "sum:(words) > 60")
                request.sortDescriptors = [NSSortDescriptor(key: "total", ascending: true)]
            }
            #expect(grouped == ["blog:61:30.5", "news:62:15.5"])
        }
    }
}
