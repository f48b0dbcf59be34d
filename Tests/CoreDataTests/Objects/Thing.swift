import CoreData
import Foundation

/// An object that writes down what happens to it, and lets a test take part.
final class Thing: NSManagedObject {
    /// What was called, in order.
    var log: [String] = []
    /// What the next calls of a method do.
    var actions: [String: (Thing) -> Void] = [:]

    private func note(_ event: String) {
        log.append(event)
        actions[event]?(self)
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        note("awakeFromInsert")
        setPrimitiveValue((primitiveValue(forKey: "size") as? Int ?? 0) + 1, forKey: "size")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        note("awakeFromFetch")
    }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        note("awake \(flags.rawValue)")
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        note("prepareForDeletion \((value(forKey: "children") as? Set<NSManagedObject>)?.count ?? -1)")
    }
    override func willSave() {
        super.willSave()
        note("willSave")
    }
    override func didSave() {
        super.didSave()
        note(isDeleted ? "didSave deleted" : "didSave")
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        note("willTurnIntoFault \(primitiveValue(forKey: "name") as? String ?? "nil")")
    }
    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        note("didTurnIntoFault")
    }
    override func validateForInsert() throws {
        try super.validateForInsert()
        note("validateForInsert")
    }
    override func validateForUpdate() throws {
        try super.validateForUpdate()
        note("validateForUpdate")
    }
    override func validateForDelete() throws {
        try super.validateForDelete()
        note("validateForDelete")
    }
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if key == "name", let name = value as? String { value = name.trimmingCharacters(in: .whitespaces) }
        try super.validateValue(&value, forKey: key)
    }

    func takeLog() -> [String] {
        defer { log = [] }
        return log
    }
}

/// A model with every kind of relationship between things, and attributes with rules.
enum ThingModel {
    static func make() -> NSManagedObjectModel {
        let thing = NSEntityDescription()
        thing.name = "Thing"
        thing.managedObjectClassName = NSStringFromClass(Thing.self)
        let special = NSEntityDescription()
        special.name = "SpecialThing"
        special.managedObjectClassName = NSStringFromClass(Thing.self)
        let mark = NSEntityDescription()
        mark.name = "Mark"

        let code = attribute("code", .stringAttributeType)
        code.setValidationPredicates(
            [NSPredicate(format: "length <= 3"), NSPredicate(format: "SELF MATCHES '[a-z]*'")],
            withValidationWarnings: ["is longer than 3", "must be small letters"])
        let size = attribute("size", .integer32AttributeType, default: 10)
        size.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 100")],
            withValidationWarnings: ["is below 0", "is above 100"])
        let name = attribute("name", .stringAttributeType, default: "unnamed")
        name.isOptional = false
        let note = attribute("note", .stringAttributeType)
        note.isTransient = true
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [attribute("city", .stringAttributeType), attribute("zip", .integer32AttributeType)]

        let (parent, children) = pair("parent", "children", thing, thing)
        let (owner, marks) = pair("owner", "marks", mark, thing)
        marks.maxCount = 2
        marks.minCount = 0
        let partner = relationship("partner", to: thing, toMany: false)
        partner.inverseRelationship = partner
        let (left, right) = (
            relationship("liked", to: thing, toMany: true), relationship("likedBy", to: thing, toMany: true)
        )
        left.inverseRelationship = right
        right.inverseRelationship = left
        let steps = relationship("steps", to: mark, toMany: true)
        steps.isOrdered = true
        let stepOf = relationship("stepOf", to: thing, toMany: false)
        steps.inverseRelationship = stepOf
        stepOf.inverseRelationship = steps
        steps.deleteRule = .noActionDeleteRule

        let marked = NSFetchedPropertyDescription()
        marked.name = "smaller"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = thing
        request.predicate = NSPredicate(format: "size < $FETCH_SOURCE.size")
        marked.fetchRequest = request

        thing.properties = [
            name, size, code, note, place, parent, children, marks, partner, left, right, steps, marked,
        ]
        special.properties = [attribute("extra", .stringAttributeType)]
        thing.subentities = [special]
        mark.properties = [attribute("label", .stringAttributeType), owner, stepOf]
        let model = NSManagedObjectModel()
        model.entities = [thing, special, mark]
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType, default value: Any? = nil)
        -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(_ name: String, to destination: NSEntityDescription, toMany: Bool)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = toMany ? 0 : 1
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    /// A to-one of the first entity and its inverse to-many of the second.
    private static func pair(
        _ one: String, _ many: String, _ first: NSEntityDescription, _ second: NSEntityDescription
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let toOne = relationship(one, to: second, toMany: false)
        let toMany = relationship(many, to: first, toMany: true)
        toOne.inverseRelationship = toMany
        toMany.inverseRelationship = toOne
        return (toOne, toMany)
    }
}

/// A store of things and a context of the main queue.
@MainActor
struct ThingStack {
    let tree: ContextTree
    var context: NSManagedObjectContext { tree.root }

    init() throws { tree = try ContextTree(model: ThingModel.make()) }

    @discardableResult
    func thing(_ name: String = "thing", _ values: [String: Any] = [:]) throws -> Thing {
        guard let thing = context.make("Thing", ["name": name].merging(values) { $1 }) as? Thing else {
            throw CocoaError(.featureUnsupported)
        }
        return thing
    }

    /// The object as a fault that nothing has happened to.
    func fault(_ thing: Thing) throws -> Thing {
        try context.save()
        context.refresh(thing, mergeChanges: false)
        thing.log = []
        return thing
    }

    func undoing() -> UndoManager { context.undoing() }

    func step(_ body: () throws -> Void) rethrows { try context.step(body) }
}

extension NSManagedObjectContext {
    /// Gives the context a manager whose groups are opened by hand.
    func undoing() -> UndoManager {
        let manager = UndoManager()
        manager.groupsByEvent = false
        undoManager = manager
        return manager
    }

    /// Makes what a block changes one step of undoing.
    @discardableResult
    func step<Result>(_ body: () throws -> Result) rethrows -> Result {
        undoManager?.beginUndoGrouping()
        let result = try body()
        processPendingChanges()
        undoManager?.endUndoGrouping()
        return result
    }
}
