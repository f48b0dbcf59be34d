import CoreData
import Foundation
import Testing

/// A store, somebody who saves beside, and the contexts of one way into it.
@MainActor
final class SaveWayStack {
    let way: SaveWay
    let other = NSManagedObjectContext(.mainQueue)
    private let type: String
    private let folder: TemporaryFolder
    private let coordinator: NSPersistentStoreCoordinator
    private let root = NSManagedObjectContext(.mainQueue)
    private var children: [NSManagedObjectContext] = []
    private var held: [NSManagedObject] = []
    /// The code of the first error of a save.
    private var refusal = 0

    /// The context that is edited.
    var editor: NSManagedObjectContext { children.last ?? root }

    init(_ way: SaveWay, _ type: String, policy: NSMergePolicy) throws {
        (self.way, self.type) = (way, type)
        folder = try TemporaryFolder()
        // XML and binary stores refuse models with uniqueness constraints.
        let model = Self.model(isUnique: type == NSSQLiteStoreType || type == NSInMemoryStoreType)
        if way == .twoStores {
            let aside = NSEntityDescription()
            aside.name = "Aside"
            model.setEntities(model.entities, forConfigurationName: "All")
            model.entities.append(aside)
            model.setEntities([aside], forConfigurationName: "Aside")
        }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        func add(_ configuration: String?, _ name: String) throws {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: configuration, at: folder.url.appendingPathComponent(name))
        }
        if way == .twoStores { try add("Aside", "aside") }
        try add(way == .twoStores ? "All" : nil, "store")
        for context in [root, other] { context.persistentStoreCoordinator = coordinator }
        root.mergePolicy = policy
        for _ in 0..<way.depth {
            let child = NSManagedObjectContext(.mainQueue)
            child.parent = editor
            child.mergePolicy = policy
            children.append(child)
        }
    }

    /// To be called when the store has what the edits begin with.
    func begin() throws {
        if way.isHeld {
            for context in ([root] + children).dropLast() { held += try Self.read(context).values.joined() }
        }
        if way == .pinned { try root.setQueryGenerationFrom(.current) }
        if way.isUndone {
            let manager = UndoManager()
            manager.groupsByEvent = false
            editor.undoManager = manager
        }
    }

    /// To be called when the edits' objects were read.
    func saveAs() throws {
        guard way == .savedAs, let store = coordinator.persistentStores.first else { return }
        _ = try coordinator.migratePersistentStore(
            store, to: folder.url.appendingPathComponent("copy"), withType: type)
    }

    func edit(_ change: () -> Void) {
        if refusal != 0 { return }
        editor.undoManager?.beginUndoGrouping()
        change()
        editor.processPendingChanges()
        editor.undoManager?.endUndoGrouping()
        if way.savesAtEachStep { attempt(saveChildren) }
    }

    /// - Parameter editing: how many edits there were.
    /// - Returns: the code of the error with which the save fails, or 0.
    @discardableResult
    func end(editing count: Int) throws -> Int {
        if way.isUndone {
            for _ in 0..<count { editor.undo() }
            for _ in 0..<count { editor.redo() }
        }
        if way == .obtained { try root.obtainPermanentIDs(for: Array(root.insertedObjects)) }
        attempt {
            try saveChildren()
            try root.save()
        }
        return refusal
    }

    private func saveChildren() throws {
        for context in children.reversed() { try context.save() }
    }

    /// Saves, unless a save has failed already.
    private func attempt(_ save: () throws -> Void) {
        if refusal != 0 { return }
        do { try save() } catch { refusal = (error as NSError).code }
    }

    // MARK: Reading

    /// All objects by entity in the order of their keys, none of them a fault, all to-many relationships read.
    static func read(_ context: NSManagedObjectContext) throws -> [String: [NSManagedObject]] {
        var all: [String: [NSManagedObject]] = [:]
        for name in ["Note", "Line", "Person", "Tag"] {
            all[name] = try context.all(name, sort: "key")
            for object in all[name] ?? [] {
                for relationship in object.entity.relationshipsByName.values { _ = object.keys(relationship) }
            }
        }
        return all
    }

    /// What the store holds, a line an object.
    func contents() throws -> [String] {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return try Self.read(context).values.joined().map { object in
            let attributes = object.entity.attributesByName.keys.sorted().map {
                "\($0) \(object.value(forKey: $0) ?? "nil")"
            }
            let relationships = object.entity.relationshipsByName.sorted { $0.key < $1.key }.map {
                "\($0.key) \(object.keys($0.value))"
            }
            return ([object.entity.name ?? ""] + attributes + relationships).joined(separator: " ")
        }.sorted()
    }

    private static func model(isUnique: Bool) -> NSManagedObjectModel {
        func entity(_ name: String, _ attributes: [(String, NSAttributeType, Any?)]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = attributes.map { name, type, value in
                let attribute = MigrationLibrary.attribute(name, type)
                attribute.defaultValue = value
                return attribute
            }
            return entity
        }
        let note = entity(
            "Note",
            [
                ("key", .stringAttributeType, nil), ("size", .integer64AttributeType, 3),
                ("text", .stringAttributeType, nil),
            ])
        let memo = entity("Memo", [("extra", .doubleAttributeType, 1.5)])
        let line = entity("Line", [("key", .stringAttributeType, nil), ("size", .integer64AttributeType, 0)])
        let person = entity("Person", [("key", .stringAttributeType, nil), ("text", .stringAttributeType, "default")])
        let tag = entity("Tag", [("key", .stringAttributeType, nil)])
        note.subentities = [memo]
        if isUnique { note.uniquenessConstraints = [["key"]] }
        relate(note, "lines", .cascadeDeleteRule, to: line, "note")
        relate(person, "notes", .nullifyDeleteRule, to: note, "owner")
        relate(note, "tags", .nullifyDeleteRule, to: tag, "notes", isManyToMany: true)
        let model = NSManagedObjectModel()
        model.entities = [note, memo, line, person, tag]
        return model
    }

    private static func relate(
        _ source: NSEntityDescription, _ name: String, _ rule: NSDeleteRule, to destination: NSEntityDescription,
        _ inverse: String, isManyToMany: Bool = false
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.maxCount, there.deleteRule) = (name, 0, rule)
        (back.name, back.maxCount, back.deleteRule) = (inverse, isManyToMany ? 0 : 1, .nullifyDeleteRule)
        for relationship in [there, back] { relationship.isOptional = true }
        (there.destinationEntity, back.destinationEntity) = (destination, source)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        source.properties.append(there)
        destination.properties.append(back)
    }
}

extension NSManagedObject {
    /// The keys of the objects that a relationship leads to, as text.
    fileprivate func keys(_ relationship: NSRelationshipDescription) -> String {
        func key(_ object: NSManagedObject?) -> String { object?.value(forKey: "key") as? String ?? "nil" }
        let value = value(forKey: relationship.name)
        return relationship.isToMany
            ? "\((value as? Set<NSManagedObject> ?? []).map(key).sorted())" : key(value as? NSManagedObject)
    }
}
