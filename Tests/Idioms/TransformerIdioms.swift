import CoreData

/// A colour that is archived, as apps keep UIColor's stand-ins.
class TintColor: NSObject, NSSecureCoding {
    let red: Double
    let green: Double

    init(red: Double, green: Double) {
        self.red = red
        self.green = green
    }

    static var supportsSecureCoding: Bool { true }

    required init?(coder: NSCoder) {
        red = coder.decodeDouble(forKey: "red")
        green = coder.decodeDouble(forKey: "green")
    }

    func encode(with coder: NSCoder) {
        coder.encode(red, forKey: "red")
        coder.encode(green, forKey: "green")
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? TintColor else { return false }
        return red == other.red && green == other.green
    }
}

final class TintColorTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: String(describing: TintColorTransformer.self))

    override static var allowedTopLevelClasses: [AnyClass] { [TintColor.self] }

    /// Registers the transformer under its name, as programs do when they start.
    public static func register() {
        let transformer = TintColorTransformer()
        ValueTransformer.setValueTransformer(transformer, forName: name)
    }
}

final class ScoresTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: "ScoresTransformer")

    override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [NSUUID.self] }
}

/// An amount of money, under the name that archives of the program's on an iPhone have.
#if canImport(ObjectiveC)
    @objc(Money)
#endif
final class Amount: NSObject, NSSecureCoding {
    let value: NSDecimalNumber
    let parts: [NSDecimalNumber]

    init(_ value: String, parts: [String]) {
        self.value = NSDecimalNumber(string: value)
        self.parts = parts.map { NSDecimalNumber(string: $0) }
    }

    static var supportsSecureCoding: Bool { true }

    required init?(coder: NSCoder) {
        guard let value = coder.decodeObject(of: NSDecimalNumber.self, forKey: "value"),
            let parts = coder.decodeObject(of: [NSArray.self, NSDecimalNumber.self], forKey: "parts")
                as? [NSDecimalNumber]
        else { return nil }
        self.value = value
        self.parts = parts
    }

    func encode(with coder: NSCoder) {
        coder.encode(value, forKey: "value")
        coder.encode(parts, forKey: "parts")
    }
}

final class AmountTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: "AmountTransformer")

    override static var allowedTopLevelClasses: [AnyClass] { [Amount.self] }
}

/// Keeps what is Codable as JSON.
private final class AddressBox: NSObject {
    struct Address: Codable, Equatable {
        var street: String
        var number: Int
    }
    let address: Address
    init(_ address: Address) { self.address = address }
}

private final class AddressTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? {
        guard let box = value as? AddressBox else { return nil }
        return try? JSONEncoder().encode(box.address)
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let address = try? JSONDecoder().decode(AddressBox.Address.self, from: data)
        else { return nil }
        return AddressBox(address)
    }
}

/// Helpers that many packages with models in code have.
private func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType, isOptional: Bool = true,
    _ configure: (NSAttributeDescription) -> Void = { _ in }
) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = isOptional
    configure(attribute)
    return attribute
}

private func transformable(_ name: String, _ transformer: NSValueTransformerName?, of type: AnyClass? = nil)
    -> NSAttributeDescription
{
    attribute(name, .transformable) {
        $0.valueTransformerName = transformer?.rawValue
        if let type { $0.attributeValueClassName = NSStringFromClass(type) }
    }
}

@MainActor
private func thingContext(_ properties: NSPropertyDescription..., configure: (NSEntityDescription) -> Void = { _ in })
    throws -> NSManagedObjectContext
{
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.properties = properties
    configure(entity)
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let container = NSPersistentContainer(name: "Things", managedObjectModel: model)
    container.persistentStoreDescriptions = [
        NSPersistentStoreDescription(
            url: FileManager.default.temporaryDirectory.appendingPathComponent("Things.sqlite"))
    ]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container.viewContext
}

@MainActor
func transformerIdioms(_ suite: Suite) {
    func thing(_ context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
    }

    suite("A colour is kept by a secure transformer of its class") {
        TintColorTransformer.register()
        let context = try thingContext(transformable("tint", TintColorTransformer.name, of: TintColor.self))
        let object = thing(context)
        object.setValue(TintColor(red: 0.5, green: 1), forKey: "tint")
        try context.save()
        context.refresh(object, mergeChanges: false)
        try expect(object.value(forKey: "tint") as? TintColor, is: TintColor(red: 0.5, green: 1))
    }

    suite("A value class keeps decimals to the last digit, under the name that Objective-C has for it") {
        ValueTransformer.setValueTransformer(AmountTransformer(), forName: AmountTransformer.name)
        let context = try thingContext(transformable("price", AmountTransformer.name, of: Amount.self))
        let object = thing(context)
        let digits = "12345678901234567890.123456789012345678"
        object.setValue(Amount(digits, parts: ["0.1", "-3", "1e-100"]), forKey: "price")
        try context.save()
        context.refresh(object, mergeChanges: false)
        let read = object.value(forKey: "price") as? Amount
        try expect(read?.value.decimalValue, is: Decimal(string: digits))
        try expect(
            read?.parts.map(\.decimalValue), is: [Decimal(string: "0.1")!, -3, Decimal(string: "1e-100")!])
        let data = AmountTransformer().reverseTransformedValue(Amount("1", parts: [])) as? Data
        let names = String(decoding: data ?? Data(), as: UTF8.self)
        try expect(names.contains("Money") && !names.contains("Amount") && names.contains("NSDecimalNumber"))
    }

    suite("A transformer adds to the classes that it inherits") {
        ValueTransformer.setValueTransformer(ScoresTransformer(), forName: ScoresTransformer.name)
        let context = try thingContext(transformable("scores", ScoresTransformer.name))
        let object = thing(context)
        object.setValue(["a": 1, "b": 2] as NSDictionary, forKey: "scores")
        try context.save()
        context.refresh(object, mergeChanges: false)
        try expect(object.value(forKey: "scores") as? [String: Int], is: ["a": 1, "b": 2])
        try expect(ValueTransformer.valueTransformerNames().contains(ScoresTransformer.name))
    }

    suite("A struct is kept as JSON by a transformer") {
        let name = NSValueTransformerName("AddressTransformer")
        ValueTransformer.setValueTransformer(AddressTransformer(), forName: name)
        let context = try thingContext(transformable("address", name))
        let object = thing(context)
        object.setValue(AddressBox(.init(street: "Main", number: 3)), forKey: "address")
        try context.save()
        context.refresh(object, mergeChanges: false)
        try expect((object.value(forKey: "address") as? AddressBox)?.address, is: .init(street: "Main", number: 3))
    }

    suite("Dates, sets and dictionaries go without a transformer's name too") {
        let context = try thingContext(transformable("value", nil))
        let object = thing(context)
        let date = Date(timeIntervalSince1970: 1)
        for value in [[date] as NSArray, ["k": ["n": 1]] as NSDictionary, NSSet(array: ["a"]), "text" as NSString] {
            object.setValue(value, forKey: "value")
            try context.save()
            context.refresh(object, mergeChanges: false)
            try expect((object.value(forKey: "value") as? NSObject) == value, "\(value)")
        }
    }

    suite("A changed array has to be set again to be saved") {
        let context = try thingContext(transformable("list", .secureUnarchiveFromDataTransformerName))
        let object = thing(context)
        object.setValue(["a"], forKey: "list")
        try context.save()
        var list = object.value(forKey: "list") as? [String] ?? []
        list.append("b")
        try expect(!context.hasChanges)
        object.setValue(list, forKey: "list")
        try context.save()
        context.refreshAllObjects()
        try expect(object.value(forKey: "list") as? [String], is: ["a", "b"])
    }

    suite("Foundation's transformers can be asked for by name") {
        let negate = ValueTransformer(forName: .negateBooleanTransformerName)
        try expect(negate?.transformedValue(true) as? Bool, is: false)
        try expect(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool, is: true)
        try expect(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName) != nil)
        try expect(ValueTransformer(forName: NSValueTransformerName("NSSecureUnarchiveFromData")) != nil)
    }

    suite("A composite attribute is a dictionary and a path") {
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [attribute("city", .string), attribute("zip", .string)]
        let context = try thingContext(attribute("name", .string), address)
        let object = thing(context)
        object.setValue(["city": "Paris", "zip": "75001"], forKey: "address")
        try context.save()
        context.refresh(object, mergeChanges: false)
        try expect((object.value(forKey: "address") as? [String: Any])?["city"] as? String, is: "Paris")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: "address.city == %@", "Paris")
        try expect(try context.count(for: request), is: 1)
        request.predicate = nil
        request.sortDescriptors = [NSSortDescriptor(key: "address.zip", ascending: true)]
        try expect(try context.fetch(request).count, is: 1)
    }

    suite("Validation predicates carry the program's own warnings") {
        let context = try thingContext(
            attribute("code", .string) {
                $0.setValidationPredicates(
                    [
                        NSPredicate(format: "length >= 3 AND length <= 5"),
                        NSPredicate(format: "SELF BEGINSWITH %@", "A"),
                    ],
                    withValidationWarnings: ["Three to five characters, please.", "Codes begin with A."])
            })
        let object = thing(context)
        object.setValue("B1", forKey: "code")
        let error = try expectError { try context.save() }
        let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        try expect(!errors.isEmpty && errors.allSatisfy { $0.userInfo[NSValidationPredicateErrorKey] is NSPredicate })
        object.setValue("A12", forKey: "code")
        try context.save()
        let code = context.persistentStoreCoordinator!.managedObjectModel.entitiesByName["Thing"]!.attributesByName[
            "code"]!
        try expect(code.validationPredicates.count, is: 2)
        try expect(code.validationWarnings.count, is: 2)
    }

    suite("validateValue tells before the save what would be wrong") {
        let context = try thingContext(
            attribute("age", .integer16) {
                $0.setValidationPredicates([NSPredicate(format: "SELF >= 18")], withValidationWarnings: ["Too young"])
            })
        let object = thing(context)
        var value: AnyObject? = NSNumber(value: 17)
        do {
            try object.validateValue(&value, forKey: "age")
            throw Unexpected(description: "17 was taken")
        } catch let error as NSError {
            try expect(error.userInfo[NSValidationKeyErrorKey] as? String, is: "age")
        }
        value = NSNumber(value: 18)
        try object.validateValue(&value, forKey: "age")
    }

    suite("Indexes in code are in the store's file and change nothing else") {
        let (name, age) = (attribute("name", .string), attribute("age", .integer32))
        let context = try thingContext(name, age) { entity in
            let descending = NSFetchIndexElementDescription(property: age, collationType: .binary)
            descending.isAscending = false
            entity.indexes = [
                NSFetchIndexDescription(
                    name: "byNameAndAge",
                    elements: [NSFetchIndexElementDescription(property: name, collationType: .binary), descending]),
                NSFetchIndexDescription(
                    name: "byAge", elements: [NSFetchIndexElementDescription(property: age, collationType: .binary)]),
            ]
            entity.indexes[1].partialIndexPredicate = NSPredicate(format: "age > 3")
        }
        for age in [1, 5, 9] { thing(context).setValue(age, forKey: "age") }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: "age > 3")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
        try expect(try context.fetch(request).map { $0.value(forKey: "age") as? Int }, is: [9, 5])
    }

    suite("An abstract entity is fetched by its subentities") {
        let (animal, cat, dog) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (animal.name, cat.name, dog.name) = ("Animal", "Cat", "Dog")
        animal.isAbstract = true
        animal.properties = [attribute("name", .string)]
        cat.properties = [attribute("lives", .integer16) { $0.defaultValue = 9 }]
        animal.subentities = [cat, dog]
        let model = NSManagedObjectModel()
        model.entities = [animal, cat, dog]
        let container = NSPersistentContainer(name: "Zoo", managedObjectModel: model)
        container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        let context = container.viewContext
        for (entity, name) in [("Cat", "Tom"), ("Dog", "Spike")] {
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(name, forKey: "name")
        }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        try expect(try context.fetch(request).map { $0.entity.name }, is: ["Dog", "Cat"])
        request.predicate = NSPredicate(format: "entity == %@", cat)
        try expect(try context.fetch(request).map { $0.value(forKey: "lives") as? Int }, is: [9])
        request.predicate = nil
        request.includesSubentities = false
        try expect(try context.count(for: request), is: 0)
        try expect(animal.subentitiesByName.keys.sorted(), is: ["Cat", "Dog"])
    }

    suite("A model is put together of two and copied before it is changed") {
        let first = NSManagedObjectModel.mergedModel(from: [Bundle.main])!
        let extra = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Extra"
        entity.properties = [attribute("name", .string)]
        extra.entities = [entity]
        let merged = try unwrap(NSManagedObjectModel(byMerging: [first, extra]))
        try expect(merged.entitiesByName["Extra"] != nil && merged.entitiesByName["Book"] != nil)
        let copy = merged.copy() as! NSManagedObjectModel
        try expect(copy == merged)
        copy.entitiesByName["Extra"]!.versionHashModifier = "2"
        try expect(copy.entitiesByName["Extra"]!.versionHash != merged.entitiesByName["Extra"]!.versionHash)
        try expect(copy.versionChecksum != merged.versionChecksum)
        var names: [String] = []
        for entity in merged.entities { names.append(entity.name ?? "") }
        try expect(names.count, is: merged.entities.count)
    }
}
