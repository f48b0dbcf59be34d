import CoreData
import Foundation
import Testing

@Suite("A migration by a manager leaves all that it makes, or nothing")
struct MigrationResultTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    /// A model of groups and members; the new one has rules for the numbers of members.
    private static func model(minimum: Int = 0, maximum: Int = 0, longest: Int? = nil) -> NSManagedObjectModel {
        let (group, member) = (NSEntityDescription(), NSEntityDescription())
        (group.name, member.name) = ("Group", "Member")
        let (members, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (members.name, members.destinationEntity, members.inverseRelationship) = ("members", member, owner)
        (members.minCount, members.maxCount, members.isOptional) = (minimum, maximum, minimum == 0)
        (owner.name, owner.destinationEntity, owner.inverseRelationship) = ("group", group, members)
        (owner.maxCount, owner.isOptional) = (1, true)
        let name = MigrationLibrary.attribute("name", .stringAttributeType)
        if let longest {
            name.setValidationPredicates(
                [NSPredicate(format: "length <= %d", longest)], withValidationWarnings: ["too long"])
        }
        group.properties = [name, members]
        member.properties = [owner]
        let model = NSManagedObjectModel()
        model.entities = [group, member]
        return model
    }

    private static func migrate(_ old: URL, to new: URL, _ model: NSManagedObjectModel, type: String) throws {
        let source = Self.model()
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: model)
        try NSMigrationManager(sourceModel: source, destinationModel: model).migrateStore(
            from: old, sourceType: type, with: mapping, toDestinationURL: new, destinationType: type)
    }

    private static func fill(_ url: URL, type: String, counts: [Int]) throws {
        let stack = try AtomicStack(url, type: type, model: model())
        for (number, count) in counts.enumerated() {
            let group = stack.context.make("Group", ["name": number == 700 ? "a long name" : "name"])
            group.setValue(Set((0..<count).map { _ in stack.context.make("Member", [:]) }), forKey: "members")
        }
        try stack.context.save()
        try stack.close()
    }

    @Test("What breaks a rule leaves no store, and the next try begins anew", arguments: types)
    func failure(type: String) throws {
        let folder = try TemporaryFolder()
        let (old, new) = (folder.url.appendingPathComponent("old"), folder.url.appendingPathComponent("new"))
        try Self.fill(old, type: type, counts: Array(repeating: 0, count: 1_200))
        let strict = Self.model(longest: 5)
        #expect(throws: NSError.self) { try Self.migrate(old, to: new, strict, type: type) }
        #expect(!FileManager.default.fileExists(atPath: new.path))
        let model = Self.model(longest: 50)
        try Self.migrate(old, to: new, model, type: type)
        #expect(try Self.count(new, type, model) == 1_200)
        // A store that is there keeps what it has.
        #expect(throws: NSError.self) { try Self.migrate(old, to: new, strict, type: type) }
        let other = folder.url.appendingPathComponent("other")
        let mended = try AtomicStack(other, type: type, model: strict)
        _ = mended.context.make("Group", ["name": "first"])
        try mended.context.save()
        try mended.close()
        #expect(throws: NSError.self) { try Self.migrate(old, to: other, strict, type: type) }
        #expect(try Self.count(other, type, strict) == 1)
    }

    private static func count(_ url: URL, _ type: String, _ model: NSManagedObjectModel) throws -> Int {
        let stack = try AtomicStack(url, type: type, model: model)
        defer { try? stack.close() }
        return try stack.context.all("Group").count
    }

    @Test("The numbers of members are checked as in a save", arguments: types)
    func counts(type: String) throws {
        let folder = try TemporaryFolder()
        let old = folder.url.appendingPathComponent("old")
        try Self.fill(old, type: type, counts: [2, 3])
        for (minimum, maximum, code) in [(3, 0, 1580), (0, 2, 1590), (2, 3, 0)] {
            let new = folder.url.appendingPathComponent("new \(minimum) \(maximum)")
            let model = Self.model(minimum: minimum, maximum: maximum)
            do {
                try Self.migrate(old, to: new, model, type: type)
                #expect(code == 0)
            } catch let error as NSError {
                #expect(error.code == code, "\(error)")
            }
        }
    }
}
