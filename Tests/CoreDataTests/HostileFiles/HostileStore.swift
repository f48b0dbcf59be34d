import CoreDataSQLite
import Foundation
import GRDB
import Synchronization

@testable import CoreData
@testable import ManagedObjectModel

/// A store that somebody else has made, with one thing in it that he has made with care.
struct HostileStore {
    let random: SeededGenerator
    let url: URL
    /// A database of the user's that nothing of the store may lead to.
    let canary: URL

    /// What a store is made for, and opened with.
    static func model(version: Int = 1, entity: String = "Person", attribute: String = "name") -> NSManagedObjectModel {
        func make(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let made = NSAttributeDescription()
            made.name = name
            made.attributeType = type
            made.isOptional = true
            return made
        }
        let photo = make("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let person = NSEntityDescription()
        person.name = entity
        person.managedObjectClassName = "NSManagedObject"
        let friends = NSRelationshipDescription()
        friends.name = entity == "Person" ? "friends" : "friends" + attribute
        friends.destinationEntity = person
        friends.inverseRelationship = friends
        person.properties = [
            make(attribute, .stringAttributeType), make("tags", .transformableAttributeType), photo, friends,
        ]
        if version > 1 { person.properties += [make("age", .integer64AttributeType)] }
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }

    /// Texts that mean something to SQL, to paths or to formats.
    static func texts(canary: URL) -> [String] {
        let path = canary.path
        return [
            "A ( Z_PK INTEGER ); ATTACH DATABASE '\(path)' AS c; DELETE FROM c.secret; --",
            "x, (SELECT 1)); ATTACH '\(path)' AS c; DROP TABLE c.secret; --", "name\"; DROP TABLE ZPERSON; --",
            "'); DELETE FROM ZPERSON; --", "a b", "a\"b", "a'b", "a;b", "a--b", "a/*b", "a)b", "a\u{0}b", "",
            "../\(canary.lastPathComponent)", "\(path)", "_PRIMARYKEY", "_METADATA", "SELECT", "%n%s%@", "é\u{301}",
            "$24",
            String(repeating: "n", count: 100_000), "1", "Z_ENT", "*", "?", "a`b", "[a]", "\n",
        ]
    }

    private func plain(_ statements: [String], _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { database in
            for statement in statements { try database.execute(sql: statement, arguments: arguments) }
        }
        try queue.close()
    }

    /// Makes a sound store of two objects.
    static func makeSound(at url: URL) throws {
        let stack = try StoreStack(url, model: model())
        try stack.context.performAndWait {
            for number in 0..<2 {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Person", into: stack.context)
                object.setValue("Person \(number)", forKey: "name")
                object.setValue(["a", "b"], forKey: "tags")
                object.setValue(Data(count: 200_000 * number), forKey: "photo")
            }
            try stack.context.save()
        }
        try stack.close()
    }

    /// Makes the store; the number says with what in it.
    func make(_ number: Int) throws {
        try Self.makeSound(at: url)
        var random = random
        let texts = Self.texts(canary: canary)
        let text = texts.randomElement(using: &random)!
        switch number % 6 {
        case 0: try carry(Self.model(entity: text, attribute: texts.randomElement(using: &random)!))
        case 1: try carry(Self.model(attribute: text))
        case 2: try plain([Self.triggers(canary).randomElement(using: &random)!])
        case 3: try plain(Self.tables(canary).randomElement(using: &random)!.components(separatedBy: "|"))
        case 4: try setMetadata(text, &random)
        default: try setValues(text, &random)
        }
    }

    /// Puts a model into the store's cache.
    private func carry(_ model: NSManagedObjectModel) throws {
        let content = try RawDeflate.deflate(model.archivedData())
        try plain(["UPDATE Z_MODELCACHE SET Z_CONTENT = ?"], [content])
        if let name = model.entities[0].name, name != "Person" {
            try plain(["UPDATE Z_PRIMARYKEY SET Z_NAME = ?"], [name])
        }
    }

    private static func triggers(_ canary: URL) -> [String] {
        let calls = [
            "OCDEqualArchives(x'00', x'01', 'NSKeyedUnarchiveFromData', 1)",
            "NSCoreDataDATriggerUpdatedAffectedObjectValue(NULL, NULL, NULL, NULL, NULL)",
            "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue(zeroblob(100000), 'x', 9223372036854775807, x'ff', 1e999)",
            "load_extension('\(canary.path)')", "writefile('\(canary.path)', 'x')", "fts3_tokenizer('x', x'0000')",
            "zeroblob(1 << 40)", "randomblob(10)", "no_such_function()",
        ]
        let events = ["AFTER INSERT ON ZPERSON", "BEFORE UPDATE ON ZPERSON", "AFTER DELETE ON ZPERSON"]
        return calls.flatMap { call in
            events.map { "CREATE TRIGGER hostile \($0) BEGIN SELECT \(call); END" }
        } + [
            "CREATE TRIGGER hostile AFTER UPDATE ON Z_PRIMARYKEY BEGIN DELETE FROM Z_METADATA; END",
            "CREATE TRIGGER hostile BEFORE UPDATE ON Z_METADATA BEGIN SELECT RAISE(IGNORE); END",
        ]
    }

    /// Statements with bars between them.
    private static func tables(_ canary: URL) -> [String] {
        [
            "CREATE VIRTUAL TABLE hostile USING fts5(a)", "CREATE VIRTUAL TABLE hostile USING fts4(a)",
            "CREATE VIRTUAL TABLE Z_RT_Person_x USING fts5(a)", "CREATE VIRTUAL TABLE hostile USING rtree(a, b, c)",
            "CREATE VIRTUAL TABLE Z_RT_Person_x USING RTREE (Z_PK INTEGER PRIMARY KEY, A_MIN FLOAT, A_MAX FLOAT)",
            "ALTER TABLE ZPERSON RENAME TO OTHER|CREATE VIEW ZPERSON AS SELECT * FROM OTHER",
            "CREATE VIEW ZOTHER AS SELECT load_extension('\(canary.path)')",
            "DROP TABLE Z_METADATA|CREATE VIEW Z_METADATA AS SELECT 1 AS Z_VERSION, 'x' AS Z_UUID, x'00' AS Z_PLIST",
            "ALTER TABLE ZPERSON ADD COLUMN ZMORE AS (hex(zeroblob(1000)))",
            "CREATE TABLE \"COREDATA_NEW_1\" (a)", "CREATE TABLE \"A'; DROP TABLE ZPERSON; --\" (a)",
            "CREATE INDEX \"Z\"\"; DROP TABLE ZPERSON; --\" ON ZPERSON (ZNAME)",
            "DROP TABLE Z_1FRIENDS|CREATE TABLE Z_1FRIENDS (Z_1FRIENDS, REFLEXIVE, CHECK (Z_1FRIENDS > 0))",
        ]
    }

    private func setMetadata(_ text: String, _ random: inout SeededGenerator) throws {
        var metadata: [String: Any] = [
            "NSStoreType": "SQLite", "NSStoreUUID": "x", "NSStoreModelVersionHashes": ["Person": Data(text.utf8)],
        ]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: metadata["NSStoreUUID"] = text
        case 1: metadata["NSStoreType"] = text
        case 2: metadata["NSStoreModelVersionHashes"] = [text: text]
        case 3: metadata[text] = [text: [text, 1, Data()]]
        default: metadata["NSStoreModelVersionIdentifiers"] = [[text], text, 7]
        }
        let list = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        try plain(["UPDATE Z_METADATA SET Z_PLIST = ?"], [list])
        try plain(["UPDATE Z_METADATA SET Z_UUID = ?"], [text])
    }

    private func setValues(_ text: String, _ random: inout SeededGenerator) throws {
        let name = ["../../\(canary.lastPathComponent)", canary.path, text, "..", "."].randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try plain(["UPDATE ZPERSON SET ZPHOTO = ?"], [Data([2]) + Data(name.utf8) + Data([0])])
        case 1: try plain(["UPDATE ZPERSON SET ZPHOTO = ?"], [Data([UInt8.random(in: 0...255, using: &random)])])
        case 2:
            // An archive of a class that a file has no reason to name.
            let archive = try NSKeyedArchiver.archivedData(
                withRootObject: HostileValue(place: url.path), requiringSecureCoding: false)
            try plain(["UPDATE ZPERSON SET ZTAGS = ?"], [archive])
        default:
            let folder = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
            let link = folder.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: canary)
            try plain(["UPDATE ZPERSON SET ZPHOTO = ?"], [Data([2]) + Data(link.lastPathComponent.utf8) + Data([0])])
        }
    }
}

/// A class that the tests' program has, and that says in which stores' archives one of its objects was made from.
final class HostileValue: NSObject, NSCoding {
    private let place: String

    init(place: String) { self.place = place }

    init?(coder: NSCoder) {
        place = coder.decodeObject(of: NSString.self, forKey: "place") as String? ?? ""
        let place = place
        Self.places.withLock { _ = $0.insert(place) }
    }

    func encode(with coder: NSCoder) { coder.encode(place as NSString, forKey: "place") }

    /// The stores that one was made from.
    static let places = Mutex<Set<String>>([])
}
