import CoreData
import Foundation
import Testing

@Suite("An object's values and faults, line by line")
@MainActor
struct ObjectContractTests {
    @Test("A refresh that keeps the object realised says so as a snapshot event, and isn't a fetch")
    func refreshOfChanged() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.setValue("B", forKey: "name")
        thing.log = []
        stack.context.refresh(thing, mergeChanges: true)
        #expect(!thing.isFault)
        #expect(thing.takeLog() == ["awake \(NSSnapshotEventType.refresh.rawValue)"])
    }

    @Test("Refreshing without merging drops changes and transients; with merging it keeps both")
    func transients() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.setValue("B", forKey: "name")
        thing.setValue("noted", forKey: "note")
        stack.context.refresh(thing, mergeChanges: true)
        #expect(thing.value(forKey: "name") as? String == "B")
        #expect(thing.value(forKey: "note") as? String == "noted")
        #expect(stack.context.updatedObjects == [thing])
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.isFault)
        #expect(thing.value(forKey: "name") as? String == "A")
        #expect(thing.value(forKey: "note") == nil)
        #expect(!stack.context.hasChanges)
    }

    @Test("committedValues with nil has all persistent properties, and no transient one")
    func committedValues() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.setValue("B", forKey: "name")
        let values = thing.committedValues(forKeys: nil)
        #expect(values["name"] as? String == "A")
        #expect(values["code"] is NSNull)
        #expect(values["note"] == nil)
        #expect(Set(thing.committedValues(forKeys: ["name", "size"]).keys) == ["name", "size"])
    }

    @Test("A nil value for a scalar of a generated accessor reads as zero, and by key as nil")
    func scalars() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        thing.setValue(nil, forKey: "size")
        #expect(thing.value(forKey: "size") == nil)
        #expect(thing.primitiveValue(forKey: "size") == nil)
    }

    @Test("Keys that the model doesn't have leave objects clean, as a class may say otherwise")
    func unmodeledProperties() throws {
        #expect(NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges)
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.log.append("a plain property")
        #expect(!thing.hasChanges && !stack.context.hasChanges)
    }

    @Test("Setting a to-one moves the object from one to-many to another, and nil takes it out")
    func inverse() throws {
        let stack = try ThingStack()
        let (first, second, child) = (try stack.thing("1"), try stack.thing("2"), try stack.thing("c"))
        child.setValue(first, forKey: "parent")
        #expect(first.members("children") == [child])
        child.setValue(second, forKey: "parent")
        #expect(first.members("children").isEmpty && second.members("children") == [child])
        child.setValue(nil, forKey: "parent")
        #expect(second.members("children").isEmpty)
    }

    @Test("A member that is taken out of a saved to-many changes both objects, and both are saved")
    func bothSidesChange() throws {
        let stack = try ThingStack()
        let (parent, child) = (try stack.thing("p"), try stack.thing("c"))
        child.setValue(parent, forKey: "parent")
        try stack.context.save()
        parent.mutableSetValue(forKey: "children").remove(child)
        stack.context.processPendingChanges()
        #expect(stack.context.updatedObjects == [parent, child])
        #expect(Set(parent.changedValues().keys) == ["children"])
        #expect(child.changedValues()["parent"] is NSNull)
    }

    @Test("prepareForDeletion is called for what a cascade takes along, before the deletion is told")
    func cascade() throws {
        let stack = try ThingStack()
        let model = stack.context.persistentStoreCoordinator?.managedObjectModel
        #expect(model?.entitiesByName["Thing"]?.relationshipsByName["children"]?.deleteRule == .nullifyDeleteRule)
        let tree = try ContextTree()
        let member = tree.root.make("Member", ["name": "M", "card": 1])
        let loan = tree.root.make("Loan", ["lent": Date(), "due": Date(), "member": member])
        tree.root.delete(member)
        #expect(!loan.isDeleted)
        tree.root.processPendingChanges()
        #expect(loan.isDeleted || loan.managedObjectContext == nil)
    }

    @Test("A relationship without an inverse keeps leading to a deleted object's row")
    func withoutInverse() throws {
        let tree = try ContextTree(model: OneWay.model())
        let target = tree.root.make("Target")
        let source = tree.root.make("Source", ["target": target])
        try tree.root.save()
        tree.root.delete(target)
        try tree.root.save()
        #expect(!source.hasChanges)
        let stored = try #require(try tree.stored().all("Source").first)
        let dangling = try #require(stored.value(forKey: "target") as? NSManagedObject)
        #expect(dangling.value(forKey: "label") == nil && dangling.isDeleted)
    }

    @Test("description of an object with values shows them, and fires no relationship")
    func text() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("Visible")
        #expect(thing.description.contains("Visible") && thing.description.contains("Thing"))
        let fault = try stack.fault(thing)
        #expect(fault.description.contains("fault") && fault.isFault)
    }

    @Test("description shows transient data and data without a value beside each other")
    func textOfTransientData() throws {
        let entity = NSEntityDescription()
        entity.name = "Photo"
        let types: [(String, NSAttributeType)] = [
            ("caption", .stringAttributeType), ("preview", .binaryDataAttributeType),
            ("original", .binaryDataAttributeType),
        ]
        entity.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            attribute.isTransient = name == "preview"
            return attribute
        }
        let photo = NSManagedObject(entity: entity, insertInto: nil)
        photo.setValue("A", forKey: "caption")
        photo.setValue(Data(count: 3), forKey: "preview")
        #expect(photo.description.contains("preview = 3 bytes"))
        #expect(photo.description.contains("original = nil"))
    }
}

/// A model of a relationship that nothing leads back from.
private enum OneWay {
    static func model() -> NSManagedObjectModel {
        let (source, target) = (NSEntityDescription(), NSEntityDescription())
        (source.name, target.name) = ("Source", "Target")
        let label = NSAttributeDescription()
        label.name = "label"
        label.attributeType = .stringAttributeType
        label.isOptional = true
        let relationship = NSRelationshipDescription()
        relationship.name = "target"
        relationship.destinationEntity = target
        relationship.maxCount = 1
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        source.properties = [relationship]
        target.properties = [label]
        let model = NSManagedObjectModel()
        model.entities = [source, target]
        return model
    }
}

@Suite("Validation, line by line")
@MainActor
struct ValidationContractTests {
    /// A model with one entity that has a relationship with a minimum and a maximum, optional or not.
    private func tree(optional: Bool) throws -> ContextTree {
        let (team, player) = (NSEntityDescription(), NSEntityDescription())
        (team.name, player.name) = ("Team", "Player")
        let (players, plays) = (NSRelationshipDescription(), NSRelationshipDescription())
        players.name = "players"
        players.destinationEntity = player
        (players.minCount, players.maxCount) = (2, 3)
        players.isOptional = optional
        plays.name = "team"
        plays.destinationEntity = team
        plays.maxCount = 1
        plays.isOptional = true
        (players.inverseRelationship, plays.inverseRelationship) = (plays, players)
        (players.deleteRule, plays.deleteRule) = (.denyDeleteRule, .nullifyDeleteRule)
        team.properties = [players]
        player.properties = [plays]
        let model = NSManagedObjectModel()
        model.entities = [team, player]
        return try ContextTree(model: model)
    }

    private func code(players count: Int, optional: Bool) throws -> Int? {
        let tree = try tree(optional: optional)
        let team = tree.root.make("Team")
        for _ in 0..<count { tree.root.make("Player", ["team": team]) }
        do {
            try tree.root.save()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    /// Seen in the tests of The Blue Alliance's app.
    @Test("The deny rule of an object that was never saved has the save fail, until nothing leads to it")
    func denyOfNew() throws {
        for storeType in Library.storeTypes {
            let model = try #require(tree(optional: true).root.persistentStoreCoordinator).managedObjectModel
            let stack = try TemporaryStack(model: model.copy() as? NSManagedObjectModel, storeType: storeType)
            let context = stack.context()
            let (team, player) = (context.make("Team"), context.make("Player"))
            player.setValue(team, forKey: "team")
            context.delete(team)
            #expect(throws: NSError.self, "\(storeType)") { try context.save() }
            team.mutableSetValue(forKey: "players").remove(player)
            context.delete(team)
            try context.save()
            #expect(player.value(forKey: "team") == nil)
            #expect(try stack.reopened().all("Player").first?.value(forKey: "team") == nil, "\(storeType)")
        }
    }

    @Test("Counts of an optional relationship hold as soon as it has any object; without one it is valid")
    func optionalCounts() throws {
        #expect(try code(players: 0, optional: true) == nil)
        #expect(try code(players: 1, optional: true) == NSValidationRelationshipLacksMinimumCountError)
        #expect(try code(players: 2, optional: true) == nil)
        #expect(try code(players: 4, optional: true) == NSValidationRelationshipExceedsMaximumCountError)
    }

    @Test("Counts of a required relationship hold always")
    func requiredCounts() throws {
        #expect(try code(players: 0, optional: false) == NSValidationRelationshipLacksMinimumCountError)
        #expect(try code(players: 1, optional: false) == NSValidationRelationshipLacksMinimumCountError)
        #expect(try code(players: 3, optional: false) == nil)
    }

    @Test("A denied deletion fails with 1600 as long as there is a destination, and the object stays deleted")
    func deny() throws {
        let tree = try tree(optional: true)
        let team = tree.root.make("Team")
        let players = (0..<2).map { _ in tree.root.make("Player", ["team": team]) }
        try tree.root.save()
        tree.root.delete(team)
        let error = #expect(throws: NSError.self) { try tree.root.save() }
        #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
        #expect(team.isDeleted)
        for player in players { tree.root.delete(player) }
        try tree.root.save()
        #expect(try tree.stored().all("Team").isEmpty)
    }

    @Test("What validation changes is saved, told once, and leaves the context clean")
    func changesByValidation() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.setValue("  padded ", forKey: "name")
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing").first?.text("name") == "padded")
        #expect(!stack.context.hasChanges)
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        stack.context.processPendingChanges()
        #expect(posted.count == 0)
    }

    @Test("An object that the validation of another changes is validated and saved with it")
    func othersChangedByValidation() throws {
        let stack = try ThingStack()
        let (first, second) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        (first.log, second.log) = ([], [])
        first.actions["validateForUpdate"] = { _ in
            if second.value(forKey: "size") as? Int != 77 { second.setValue(77, forKey: "size") }
        }
        first.setValue("C", forKey: "name")
        try stack.context.save()
        #expect(second.log.contains("validateForUpdate"))
        #expect(try stack.tree.stored().all("Thing", "size == 77").count == 1)
        #expect(!stack.context.hasChanges)
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        stack.context.processPendingChanges()
        #expect(posted.count == 0)
    }

    @Test("What the validation of one object makes invalid in another fails the save")
    func invalidatedByValidation() throws {
        let stack = try ThingStack()
        let (first, second) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        first.actions["validateForUpdate"] = { _ in second.setValue(1000, forKey: "size") }
        first.setValue("C", forKey: "name")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "size")
        #expect(try stack.tree.stored().all("Thing", "size == 1000").isEmpty)
    }

    @Test("After a child has validated, the parent validates again when it saves")
    func twoLevels() throws {
        let stack = try ThingStack()
        let child = stack.tree.child()
        let mine = try #require(child.make("Thing", ["name": "A"]) as? Thing)
        try child.save()
        let parents = try #require(stack.context.insertedObjects.first as? Thing)
        parents.log = []
        mine.log = []
        try stack.context.save()
        #expect(parents.log.contains("validateForInsert"))
        #expect(!mine.log.contains("validateForInsert"))
    }

    @Test("validateValue coerces nothing by itself, and says what type a value should have")
    func types() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        var value: Any? = "many"
        let error = #expect(throws: NSError.self) { try thing.validateValue(&value, forKey: "size") }
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "size")
        #expect(error?.userInfo[NSValidationValueErrorKey] as? String == "many")
    }
}
