@_spi(Engine) import CoreDataRows
import CoreData
import Foundation
import FoundationCompat
import ManagedObjectModel
import Testing

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

/// A request as a program would write it, and SQL that answers the same: the keys of the objects, in order where there is one.
struct HandwrittenRequest: Sendable, CustomTestStringConvertible {
    var store: FixtureStore
    var entity: String
    var format: String?
    var sort: [String] = []
    var limit = 0
    var offset = 0
    var sql: String

    init(
        _ store: FixtureStore, _ entity: String, _ format: String?, by sort: String = "", limit: Int = 0,
        offset: Int = 0,
        _ sql: String
    ) {
        self.store = store
        self.entity = entity
        self.format = format
        self.sort = sort.split(separator: " ").map(String.init)
        self.limit = limit
        self.offset = offset
        self.sql = sql
    }

    var testDescription: String { "\(entity) \(format ?? "all") \(sort.joined(separator: " "))" }
}

/// Stores of the fixtures that have enough in them.
enum FixtureStore: String, CaseIterable, Sendable {
    case server = "richardpiazza__XCServerCoreData/Tests/XCServerCoreData_2.0.1.sqlite"
    case books = "alemar11__CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"
    case cocktails =
        "MatthewHunt84__MetaCocktailsSwiftData/MetaCocktailsSwiftData/Model/Database/PreloadedCocktails.store"
    case journal =
        "kodecocodes__cdt-materials/09-multiple-managed-object-contexts/projects/challenge/SurfJournal/SurfJournal/CoreDataSeed/SurfJournalModel.sqlite"

    var fixture: SQLiteSchemaFixtures.Store? {
        SQLiteSchemaFixtures.stores.first { $0.path.hasSuffix(rawValue) }
    }
}

@Suite(
    "Requests on Apple's stores answer what SQL written by hand does", .enabled(if: SQLiteSchemaFixtures.folder != nil))
struct HandwrittenSQLTests {
    /// Copies of the stores, with a container over each; made once.
    private struct Opened {
        let folder: TemporaryFolder
        let url: URL
        let container: NSPersistentContainer
    }

    private static func open(_ store: FixtureStore) throws -> Opened {
        let fixture = try #require(store.fixture)
        let folder = try TemporaryFolder()
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: fixture.url.path + suffix) {
            try FileManager.default.copyItem(
                atPath: fixture.url.path + suffix,
                toPath: folder.url.appendingPathComponent("Store.sqlite").path + suffix)
        }
        let url = folder.url.appendingPathComponent("Store.sqlite")
        let model = try #require(try fixture.layout()?.model)
        return Opened(folder: folder, url: url, container: try StoreStack(url, model: model).container)
    }

    @Test("The same objects in the same order", arguments: HandwrittenRequest.typical)
    func request(_ example: HandwrittenRequest) throws {
        let opened = try Self.open(example.store)
        let request = NSFetchRequest<NSManagedObject>(entityName: example.entity)
        request.predicate = example.format.map { NSPredicate(format: $0) }
        request.sortDescriptors = example.sort.map { key in
            NSSortDescriptor(key: key.replacing("-", with: ""), ascending: !key.hasPrefix("-"))
        }
        request.fetchLimit = example.limit
        request.fetchOffset = example.offset
        let context = opened.container.newThreadContext()
        let found = try context.fetch(request).map { $0.objectID.uriRepresentation().lastPathComponent.dropFirst() }
        let expected = try PlainSQLite.rows(example.sql, in: opened.url).compactMap { $0[0] }
        #expect(!expected.isEmpty, "the request is no use")
        if example.sort.isEmpty {
            #expect(found.map(String.init).sorted() == expected.sorted())
        } else {
            #expect(found.map(String.init) == expected)
        }
        request.fetchBatchSize = 7
        #expect(try context.fetch(request).count == expected.count)
        #expect(try context.count(for: request) == expected.count)
    }

    @Test("The same groups with the same numbers", arguments: HandwrittenGroups.typical)
    func groups(_ example: HandwrittenGroups) throws {
        let opened = try Self.open(example.store)
        let request = NSFetchRequest<NSDictionary>(entityName: example.entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = example.columns.map { name, expression in
            guard let expression else { return name }
            let description = NSExpressionDescription()
            description.name = name
            description.expression = NSExpression(format: expression)
            return description
        }
        if !example.groups.isEmpty { request.propertiesToGroupBy = example.groups }
        request.havingPredicate = example.having.map { NSPredicate(format: $0) }
        request.returnsDistinctResults = example.isDistinct
        request.sortDescriptors = example.sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        let found = try opened.container.newThreadContext().fetch(request).map { row in
            example.columns.map { name, _ in (row[name] as Any?).map { Self.text($0) } }
        }
        let expected = try PlainSQLite.rows(example.sql, in: opened.url).map { row in
            row.map { $0.map { Self.text(Double($0).map { NSNumber(value: $0) } ?? $0 as Any) } }
        }
        #expect(!expected.isEmpty)
        #expect(found == expected)
    }

    /// Numbers to nine digits, so that their type doesn't matter.
    private static func text(_ value: Any) -> String {
        if let number = value as? NSNumber { return String(format: "%.9g", number.doubleValue) }
        return "\(value)"
    }
}

/// A request for dictionaries, and SQL that answers the same.
struct HandwrittenGroups: Sendable, CustomTestStringConvertible {
    var store: FixtureStore
    var entity: String
    /// Names, and the expressions that they stand for if they are no properties.
    var columns: [(String, String?)]
    var groups: [String] = []
    var having: String?
    var isDistinct = false
    var sort: String?
    var sql: String

    var testDescription: String { sql }

    static let typical: [HandwrittenGroups] = [
        .init(
            store: .server, entity: "CommitChange", columns: [("status", nil), ("number", "count:(filePath)")],
            groups: ["status"], sort: "status",
            sql: "SELECT ZSTATUS, COUNT(ZFILEPATH) FROM ZCOMMITCHANGE GROUP BY ZSTATUS ORDER BY ZSTATUS"),
        .init(
            store: .server, entity: "Integration",
            columns: [("bot.name", nil), ("longest", "max:(duration)"), ("mean", "average:(duration)")],
            groups: ["bot.name"], sort: "bot.name",
            sql: """
                SELECT b.ZNAME, MAX(i.ZDURATION), AVG(i.ZDURATION) FROM ZINTEGRATION i JOIN ZBOT b ON b.Z_PK = i.ZBOT
                GROUP BY b.ZNAME ORDER BY b.ZNAME
                """),
        .init(
            store: .server, entity: "Issue", columns: [("type", nil), ("number", "count:(message)")], groups: ["type"],
            having: "number > 50", sort: "type",
            sql: "SELECT ZTYPE, COUNT(ZMESSAGE) FROM ZISSUE GROUP BY ZTYPE HAVING COUNT(ZMESSAGE) > 50 ORDER BY ZTYPE"),
        .init(
            store: .server, entity: "Integration", columns: [("result", nil)], isDistinct: true, sort: "result",
            sql: "SELECT DISTINCT ZRESULT FROM ZINTEGRATION ORDER BY ZRESULT"),
        .init(
            store: .books, entity: "Feedback",
            columns: [("authorAlias", nil), ("mean", "average:(rating)"), ("least", "min:(rating)")],
            groups: ["authorAlias"],
            sort: "authorAlias",
            sql: "SELECT ZAUTHORALIAS, AVG(ZRATING), MIN(ZRATING) FROM ZFEEDBACK GROUP BY 1 ORDER BY 1"),
        .init(
            store: .books, entity: "Book", columns: [("total", "sum:(pagesCount)"), ("number", "count:(title)")],
            sql: "SELECT SUM(ZPAGESCOUNT), COUNT(ZTITLE) FROM ZBOOK"),
        .init(
            store: .cocktails, entity: "Ingredient", columns: [("unit.unit", nil), ("most", "max:(value)")],
            groups: ["unit.unit"],
            sort: "unit.unit", sql: "SELECT ZUNIT, MAX(ZVALUE) FROM ZINGREDIENT GROUP BY ZUNIT ORDER BY ZUNIT"),
        .init(
            store: .journal, entity: "JournalEntry",
            columns: [("location", nil), ("rating", nil), ("number", "count:(height)")],
            groups: ["location", "rating"],
            having: "rating >= 4", sort: "location",
            sql: """
                SELECT ZLOCATION, ZRATING, COUNT(ZHEIGHT) FROM ZJOURNALENTRY GROUP BY ZLOCATION, ZRATING
                HAVING ZRATING >= 4 ORDER BY ZLOCATION
                """),
    ]
}
