import CoreData
import Foundation
import Testing

@Suite(
    "Stores that Apple's framework wrote, migrated by mapping models that Xcode wrote",
    .enabled(if: SQLiteSchemaFixtures.folder != nil))
struct FixtureMappingTests {
    private let files: URL
    private let folder: TemporaryFolder

    init() throws {
        files = try #require(SQLiteSchemaFixtures.folder).appendingPathComponent("files")
        folder = try TemporaryFolder()
        FixturePolicies.register()
    }

    private func copy(_ path: String) throws -> URL {
        let url = files.appendingPathComponent(path)
        let copy = folder.url.appendingPathComponent("Store.sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path + suffix)
        }
        return copy
    }

    /// Migrates to a file beside the store, by a mapping model or, for nil, one that is inferred.
    private func migrate(
        _ url: URL, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel, _ mapping: String?,
        addingTo present: URL? = nil
    ) throws -> URL {
        let model = try mapping.map {
            try NSMappingModel.read(contentsOf: files.appendingPathComponent($0), from: source, to: destination)
        }
        let new = present ?? folder.url.appendingPathComponent("\(UUID().uuidString).sqlite")
        try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
            from: url, type: .sqlite,
            mapping: model
                ?? NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination),
            to: new, type: .sqlite)
        #expect(try FreshSchema.present(in: new) == FreshSchema.of(destination, historyTracking: false))
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: new) == [["ok"]])
        return new
    }

    private static let moody = "objcio__core-data/Migrations"

    private func moody(_ version: Int) throws -> NSManagedObjectModel {
        let name = version == 1 ? "Moody" : "Moody \(version)"
        return try ModelFile.read(
            files.appendingPathComponent(
                "xcdatamodel/\(Self.moody)/Migrations/Moody.xcdatamodeld/\(name).xcdatamodel/contents"))
    }

    @Test("Moody, from each version through all later ones, keeps moods, countries and continents", arguments: 1...5)
    func moodyChain(begin: Int) throws {
        let name = begin == 1 ? "Moody" : "Moody \(begin)"
        var url = try copy("sqlite/\(Self.moody)/MigrationsTests/\(name).moody")
        for version in begin..<6 {
            let (old, new) = (try moody(version), try moody(version + 1))
            let mapping = "xcmappingmodel/\(Self.moody)/Migrations/Moody \(version)-Moody \(version + 1).xcmappingmodel"
            let isThere = FileManager.default.fileExists(atPath: files.appendingPathComponent(mapping).path)
            #expect(isThere == (version > 1))
            let next = try migrate(url, old, new, isThere ? mapping : nil)
            let (before, after) = (try PlainGraph(url, model: old), try PlainGraph(next, model: new))
            let found1 = try before.differences(to: after)
            #expect(found1 == [], "to version \(version + 1)")
            if version == 4 {
                #expect(
                    try after.rows("SELECT ZNUMERICISO3166CODE, ZISOCONTINENT FROM ZCOUNTRY ORDER BY 1")
                        == before.rows(
                            """
                            SELECT c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE FROM ZCOUNTRY c
                            LEFT JOIN ZCONTINENT k ON k.Z_PK = c.ZCONTINENT ORDER BY 1
                            """))
            }
            if version == 5 {
                #expect(
                    try after.rows(
                        """
                        SELECT c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE FROM ZCOUNTRY c
                        LEFT JOIN ZCONTINENT k ON k.Z_PK = c.ZCONTINENT ORDER BY 1
                        """) == before.rows("SELECT ZNUMERICISO3166CODE, ZISOCONTINENT FROM ZCOUNTRY ORDER BY 1"))
                let continents = try after.rows("SELECT COUNT(*), COUNT(DISTINCT ZNUMERICISO3166CODE) FROM ZCONTINENT")
                #expect(continents[0][0] == continents[0][1])
            }
            url = next
        }
    }

    @Test("BookMigration makes authors of names, and files of the books of users")
    func books() throws {
        let family = "hwaxxer__BookMigration/BookMigration"
        let models = try (1...3).map { version in
            try ModelFile.read(
                files.appendingPathComponent(
                    "xcdatamodel/\(family)/Model.xcdatamodeld/Model\(version).xcdatamodel/contents"))
        }
        let first = try copy("sqlite/\(family)/Model1.sqlite")
        let second = try migrate(
            first, models[0], models[1], "xcmappingmodel/\(family)/Model1_to_Model2.xcmappingmodel")
        var before = try PlainGraph(first, model: models[0])
        var after = try PlainGraph(second, model: models[1])
        // The policy reads and writes the file's URL, which makes another archive of it.
        let found2 = try before.differences(to: after, ignoring: ["fileURL"])
        for row in try after.rows("SELECT ZTITLE, ZFILEURL FROM ZBOOK") {
            #expect(String(decoding: row[1].bytes ?? [], as: UTF8.self).contains("\(row[0].string ?? "").file"))
        }
        #expect(found2 == [])
        let authors = """
            SELECT b.ZTITLE, a.ZNAME FROM ZBOOK b JOIN Z_1BOOKS j ON j.Z_2BOOKS = b.Z_PK
            JOIN ZAUTHOR a ON a.Z_PK = j.Z_1AUTHORS ORDER BY 1
            """
        #expect(try after.rows(authors) == before.rows("SELECT ZTITLE, ZAUTHORNAME FROM ZBOOK ORDER BY 1"))
        #expect(
            try after.rows("SELECT COUNT(*) FROM ZAUTHOR")
                == before.rows("SELECT COUNT(DISTINCT ZAUTHORNAME) FROM ZBOOK"))
        // In two passes into one store: the first mapping model speaks of users only, the second of all but them.
        let users = try migrate(
            second, models[1], models[2], "xcmappingmodel/\(family)/Model2_to_Model3_User.xcmappingmodel")
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZUSER", in: users) == [["3"]])
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZBOOK", in: users) == [["0"]])
        let third = try migrate(
            second, models[1], models[2], "xcmappingmodel/\(family)/Model2_to_Model3.xcmappingmodel",
            addingTo: users)
        before = after
        after = try PlainGraph(third, model: models[2])
        let found3 = try before.differences(to: after)
        #expect(found3 == [])
        #expect(try after.rows(authors) == before.rows(authors))
        let owned = try before.pairs("Book", "users", "title", "userId")
        let made = try after.rows(
            "SELECT b.ZTITLE, u.ZUSERID FROM ZFILE f JOIN ZBOOK b ON b.Z_PK = f.ZBOOK JOIN ZUSER u ON u.Z_PK = f.ZUSER")
        let pairs = made.map { row in row.map(PlainGraph.text).joined(separator: " > ") }
        #expect(pairs.sorted() == owned)
        #expect(!owned.isEmpty)
    }

    @Test(
        "CoreDataPlus makes makers of names, by the compiled mapping model and by its source",
        arguments: [
            "cdm/alemar11__CoreDataPlus/Tests/Resources/SampleModel/Fixtures/V2toV3.cdm",
            "xcmappingmodel/alemar11__CoreDataPlus/Tests/Resources/SampleModel/MappingModels/V2toV3.xcmappingmodel",
        ])
    func cars(mapping: String) throws {
        let family = "alemar11__CoreDataPlus/Tests/Resources/SampleModel"
        let models = try ["SampleModel", "SampleModel2", "SampleModel3"].map { name in
            try ModelFile.read(files.appendingPathComponent("momd/\(family)/Fixtures/SampleModel.momd/\(name).mom"))
        }
        let first = try copy("sqlite/\(family)/Fixtures/SampleModel_V1.sqlite")
        let second = try migrate(first, models[0], models[1], nil)
        let found6 = try PlainGraph(first, model: models[0]).differences(to: PlainGraph(second, model: models[1]))
        #expect(found6 == [])
        let third = try migrate(second, models[1], models[2], mapping)
        let (before, after) = (try PlainGraph(second, model: models[1]), try PlainGraph(third, model: models[2]))
        let found5 = try before.differences(to: after)
        #expect(found5 == [])
        let names = try before.rows("SELECT ZNUMBERPLATE, ZMAKER FROM ZCAR ORDER BY 1")
        #expect(
            try after.rows(
                "SELECT c.ZNUMBERPLATE, m.ZNAME FROM ZCAR c LEFT JOIN ZMAKER m ON m.Z_PK = c.ZCREATEDBY ORDER BY 1")
                == names)
        #expect(
            try after.rows("SELECT COUNT(*) FROM ZMAKER")
                == before.rows("SELECT COUNT(DISTINCT ZMAKER) FROM ZCAR"))
        #expect(names.count > 100)
    }

    @Test("XCServerCoreData keeps every object from 1.0.0 to 1.1.0")
    func server() throws {
        let family = "richardpiazza__XCServerCoreData"
        func model(_ name: String) throws -> NSManagedObjectModel {
            try ModelFile.read(
                files.appendingPathComponent(
                    "xcdatamodel/\(family)/Resources/XCServerCoreData.xcdatamodeld/\(name).xcdatamodel/contents"))
        }
        let (old, new) = (try model("XCServerCoreData"), try model("XCServerCoreData1.1.0"))
        let url = folder.url.appendingPathComponent("Store.sqlite")
        // No store of this version is known; one is filled.
        let stack = try StoreStack(url, model: old)
        let changes = GenericChanges(context: stack.context, model: old)
        for _ in 0..<5 { try changes.run() }
        try stack.close()
        let next = try migrate(
            url, old, new, "xcmappingmodel/\(family)/Resources/MappingModel1.0.0to1.1.0.xcmappingmodel")
        let found7 = try PlainGraph(url, model: old).differences(to: PlainGraph(next, model: new))
        #expect(found7 == [])
    }
}
