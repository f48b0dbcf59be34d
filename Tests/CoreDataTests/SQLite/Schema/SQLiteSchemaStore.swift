@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import ManagedObjectModel

import class FoundationCompat.NSExpression

@testable import CoreData

/// A store of a small model in a temporary folder, which goes with it.
///
/// Team.members (ordered) <-> Player.team; Player.friends (its own inverse); Player.tags <-> Tag.players (ordered);
/// Captain is a Player; Team.trophies has no inverse; Player.number is unique, so are nick and rating together; Team.memberCount is derived.
final class SQLiteSchemaStore {
    let folder: URL
    let url: URL
    let model: ModelLayout
    private(set) var schema: SQLiteSchema
    private(set) var file: SQLiteFile

    init(historyTracking: Bool = false, options: SQLiteOpenOptions = SQLiteOpenOptions()) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("SQLiteSchema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Team.sqlite")
        model = ModelLayout.of(Self.model())
        schema = try SQLiteSchema(model: model, configuration: nil)
        file = try SQLiteFile.create(
            url, schema: schema, metadata: SQLiteMetadata.initial(schema: schema), historyTracking: historyTracking,
            options: options)
    }

    deinit {
        try? file.close()
        try? FileManager.default.removeItem(at: folder)
    }

    var saver: SQLiteSaver {
        SQLiteSaver(file: file, schema: schema) { _, _ in .null }
    }

    /// Closes the file and opens it again, as another program would.
    func reopen() throws {
        try file.close()
        guard let opened = try SQLiteFile.openForWriting(url) else { throw CocoaError(.fileReadCorruptFile) }
        file = opened
        schema = try SQLiteSchema(model: model, configuration: nil, file: file.layout())
    }

    func entity(_ name: String) -> EntityLayout { model.entity(named: name)! }

    func keys(_ names: String...) throws -> [ObjectKey] {
        try saver.reserveKeys(for: names.map(entity))
    }

    /// A new row with these values.
    func row(_ key: ObjectKey, _ values: [String: FieldValue], toManys: [ToManyRowChange] = []) -> RowChange {
        let layout = model.entities[Int(key.entityIndex)]
        var change = RowChange(key: key)
        change.values = ContiguousArray(repeating: .null, count: layout.rowSlotCount)
        for (name, value) in values { change.values[layout.property(named: name)!.rowSlot] = value }
        change.toManys = toManys
        return change
    }

    /// A change of these values in a row that has this version.
    func update(
        _ key: ObjectKey, version: Int64, _ values: [String: FieldValue], toManys: [ToManyRowChange] = []
    ) -> RowChange {
        let layout = model.entities[Int(key.entityIndex)]
        var change = row(key, values, toManys: toManys)
        change.version = version
        change.changedSlots = values.keys.map { layout.property(named: $0)!.rowSlot }.sorted()
        return change
    }

    func toMany(
        _ entity: String, _ name: String, added: [ObjectKey] = [], removed: [ObjectKey] = [], order: [ObjectKey]? = nil
    ) -> ToManyRowChange {
        ToManyRowChange(
            propertyIndex: self.entity(entity).property(named: name)!.index, added: added, removed: removed,
            order: order)
    }

    /// The first row of a query, as text.
    func values(_ sql: String) throws -> [String] {
        try file.read { database in
            try Row.fetchAll(database, sql: sql).flatMap { row in row.databaseValues.map { "\($0)" } }
        }
    }

    private static func model() -> NSManagedObjectModel {
        let team = entity("Team", attributes: [("name", .stringAttributeType), ("founded", .dateAttributeType)])
        let player = entity(
            "Player",
            attributes: [
                ("active", .booleanAttributeType), ("fee", .decimalAttributeType), ("number", .integer64AttributeType),
                ("photo", .binaryDataAttributeType), ("nick", .stringAttributeType),
                ("page", .URIAttributeType), ("rating", .doubleAttributeType), ("uuid", .UUIDAttributeType),
            ])
        let captain = entity("Captain", attributes: [("since", .dateAttributeType)])
        let tag = entity("Tag", attributes: [("word", .stringAttributeType)])
        let trophy = entity("Trophy", attributes: [("year", .integer16AttributeType)])
        player.subentities = [captain]
        (player.propertiesByName["photo"] as? NSAttributeDescription)?.allowsExternalBinaryDataStorage = true
        let memberCount = NSDerivedAttributeDescription()
        memberCount.name = "memberCount"
        memberCount.attributeType = .integer64AttributeType
        memberCount.derivationExpression = NSExpression(forKeyPath: "members.@count")
        team.properties.append(memberCount)
        let members = relationship("members", to: player, isToMany: true, isOrdered: true)
        let itsTeam = relationship("team", to: team, isToMany: false)
        connect(members, itsTeam)
        let friends = relationship("friends", to: player, isToMany: true)
        connect(friends, friends)
        let tags = relationship("tags", to: tag, isToMany: true)
        let players = relationship("players", to: player, isToMany: true, isOrdered: true)
        connect(tags, players)
        let leader = relationship("leader", to: player, isToMany: false)
        let trophies = relationship("trophies", to: trophy, isToMany: true)
        team.properties += [members, leader, trophies]
        player.properties += [itsTeam, friends, tags]
        tag.properties += [players]
        player.uniquenessConstraints = [["number"], ["nick", "rating"]]
        let model = NSManagedObjectModel()
        model.entities = [team, player, captain, tag, trophy]
        return model
    }

    private static func entity(_ name: String, attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        return entity
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, isToMany: Bool, isOrdered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = isToMany ? 0 : 1
        relationship.isOrdered = isOrdered
        relationship.isOptional = true
        return relationship
    }

    private static func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
        one.inverseRelationship = other
        other.inverseRelationship = one
    }
}
