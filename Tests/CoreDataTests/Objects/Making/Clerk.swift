@_spi(GeneratedCode) import CoreData
import Foundation

/// A class as programs declare them: with properties and rules of its own beside the model's.
final class Clerk: NSManagedObject {
    var ownNote = "kept"
    var name: String? {
        get { primitiveValue(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
    var chief: Clerk? {
        get { primitiveValue(forKey: "chief") as? Clerk }
        set { setValue(newValue, forKey: "chief") }
    }
    var shouted: String { (name ?? "").uppercased() }
    var letter: String { String(shouted.prefix(1)) }
    /// The getter of a transient attribute.
    var label: String? { name.map { "<\($0)>" } }

    func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let name = value.pointee as? String else { return }
        if name == "forbidden" { throw CocoaError(.validationStringPatternMatching) }
        if name.hasSuffix(" ") { value.pointee = name.trimmingCharacters(in: .whitespaces) as NSString }
    }
}

/// A class whose rules have the signature that they have on Apple's platforms.
final class Porter: NSManagedObject {
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        if value.pointee as? String == "old" { value.pointee = "new" as NSString }
        try super.validateValue(value, forKey: key)
    }
}

/// A class that keeps something that the model knows nothing of, and says what was done to it.
class Tagged: NSManagedObject {
    let mark = UUID()
    var awakenings = 0
    override func awakeFromInsert() {
        super.awakeFromInsert()
        awakenings += 1
    }
}

/// A class with an initialiser of its own in the place of the inherited one.
final class Counted: Tagged {
    let count: Int
    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        count = 7
        super.init(entity: entity, insertInto: context)
    }
    convenience init(named name: String, in context: NSManagedObjectContext) {
        self.init(
            entity: context.persistentStoreCoordinator!.managedObjectModel.entitiesByName["Counted"]!,
            insertInto: context)
        setValue(name, forKey: "name")
    }
}

/// A class that belongs to two entities, and one that belongs to none.
final class Shared: NSManagedObject {}
final class Orphan: NSManagedObject {}

enum Office {
    private static let declarations: Void = {
        GeneratedClasses.register(
            classes: { [:] }, keyPaths: { [\Clerk.name: "name", \Clerk.chief: "chief"] })
        GeneratedClasses.register(properties: {
            [\Clerk.shouted: "shouted", \Clerk.letter: "letter", \Clerk.label: "label"]
        })
        GeneratedClasses.register(validators: {
            [DeclaredValidator("validateName", of: Clerk.self) { try $0.validateName($1) }]
        })
    }()

    static func attribute(_ name: String, _ type: NSAttributeType, default value: Any? = nil) -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.defaultValue = value
        return attribute
    }

    private static func entity(_ name: String, _ objectClass: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(objectClass)
        entity.properties = [
            attribute("name", .stringAttributeType, default: "nobody"), attribute("age", .integer16AttributeType),
            attribute("date", .dateAttributeType),
        ]
        return entity
    }

    static func model() -> NSManagedObjectModel {
        _ = declarations
        let clerk = entity("Clerk", Clerk.self)
        let label = attribute("label", .stringAttributeType)
        label.isTransient = true
        let chief = NSRelationshipDescription()
        chief.name = "chief"
        chief.destinationEntity = clerk
        chief.maxCount = 1
        chief.isOptional = true
        clerk.properties += [label, chief]
        let model = NSManagedObjectModel()
        model.entities = [
            clerk, entity("Porter", Porter.self), entity("Tagged", Tagged.self), entity("Counted", Counted.self),
            entity("First", Shared.self), entity("Second", Shared.self), entity("Plain", NSManagedObject.self),
        ]
        return model
    }

    static func stack(storeType: String = NSSQLiteStoreType) throws -> TemporaryStack {
        try TemporaryStack(model: model(), storeType: storeType)
    }
}
