import CoreData
import Foundation
import Testing

@Suite("Making objects") struct ObjectMakingTests {
    private func error(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("by the base class's name gives an instance of the entity's class, made by its own initialisers")
    func ownClass() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let entities = stack.container.managedObjectModel.entitiesByName
        let tagged = NSManagedObject(entity: entities["Tagged"]!, insertInto: context)
        #expect((tagged as? Tagged)?.awakenings == 1)
        let counted = NSManagedObject(entity: entities["Counted"]!, insertInto: context)
        #expect((counted as? Counted)?.count == 7)
        #expect((counted as? Counted)?.mark != (tagged as? Tagged)?.mark)
        let scratch = NSManagedObject(entity: entities["Counted"]!, insertInto: nil)
        #expect((scratch as? Counted)?.awakenings == 0)
        #expect(type(of: NSManagedObject(entity: entities["Plain"]!, insertInto: context)) == NSManagedObject.self)
        #expect(Counted(named: "Anna", in: context).value(forKey: "name") as? String == "Anna")
        #expect(context.insertedObjects.count == 4)
        #expect(try context.fetch(NSFetchRequest<Tagged>(entityName: "Tagged")) == [tagged])
        try context.save()
        #expect(try context.fetch(NSFetchRequest<Counted>(entityName: "Counted")).count == 2)
    }

    @Test(
        "by the name of a class above the entity's gives one of the entity's, and of any other class what is asked for")
    func classBetween() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let entities = stack.container.managedObjectModel.entitiesByName
        let counted = Tagged(entity: entities["Counted"]!, insertInto: context)
        #expect((counted as? Counted)?.count == 7 && counted.awakenings == 1)
        #expect((Tagged(entity: entities["Counted"]!, insertInto: nil) as? Counted)?.awakenings == 0)
        #expect(type(of: Tagged(entity: entities["Tagged"]!, insertInto: context)) == Tagged.self)
        #expect(type(of: Tagged(entity: entities["Plain"]!, insertInto: context)) == Tagged.self)
        #expect(context.insertedObjects.count == 3)
        try context.save()
        #expect(try context.fetch(NSFetchRequest<Counted>(entityName: "Counted")) == [counted])
    }

    @Test("leaves nothing behind of the object that is exchanged")
    func exchange() throws {
        let stack = try Office.stack()
        let entity = stack.container.managedObjectModel.entitiesByName["Counted"]!
        for type in [NSManagedObject.self, Tagged.self] {
            weak var object: NSManagedObject?
            do {
                let made = type.init(entity: entity, insertInto: nil)
                object = made
                #expect(object != nil)
            }
            #expect(object == nil)
            do {
                let made =
                    type == Tagged.self
                    ? Tagged(entity: entity, insertInto: nil) : NSManagedObject(entity: entity, insertInto: nil)
                object = made
                #expect(object is Counted)
            }
            #expect(object == nil)
        }
    }

    @Test("by a metatype's value goes by the class that it is of")
    func metatypes() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let types: [NSManagedObject.Type] = [Tagged.self, Clerk.self]
        #expect(types.map { type(of: $0.init(context: context)) == $0 } == [true, true])
        let entity = stack.container.managedObjectModel.entitiesByName["Counted"]!
        let counted: NSManagedObject.Type = Counted.self
        #expect((counted.init(entity: entity, insertInto: context) as? Counted)?.count == 7)
    }

    @Test("of an entity whose model nobody uses, or that is in none, gives a working object with the model's defaults")
    func withoutStack() {
        let entity = Office.model().entitiesByName["Clerk"]!
        let scratch = Clerk(entity: entity, insertInto: nil)
        #expect(scratch.name == "nobody")
        scratch.name = "Anna"
        #expect(scratch.value(forKey: "name") as? String == "Anna")
        #expect(scratch.objectID.isTemporaryID)
        let alone = NSEntityDescription()
        alone.name = "Alone"
        alone.properties = [Office.attribute("size", .integer32AttributeType, default: 4)]
        let object = NSManagedObject(entity: alone, insertInto: nil)
        #expect(object.value(forKey: "size") as? Int == 4)
        object.setValue(5, forKey: "size")
        #expect(object.value(forKey: "size") as? Int == 5)
        #expect(object.entity === alone)
        // The entity may still become part of a model.
        alone.properties += [Office.attribute("more", .stringAttributeType)]
        #expect(NSManagedObject(entity: alone, insertInto: nil).value(forKey: "more") == nil)
    }

    @Test("outside of a context keeps defaults and values for when it is inserted")
    func laterInserted() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let entity = stack.container.managedObjectModel.entitiesByName["Clerk"]!
        let scratch = Clerk(entity: entity, insertInto: nil)
        scratch.setValue(3, forKey: "age")
        context.insert(scratch)
        try context.save()
        context.refresh(scratch, mergeChanges: false)
        #expect(scratch.name == "nobody")
        #expect(scratch.value(forKey: "age") as? Int == 3)
    }

    @Test("in a context without a coordinator works until it is saved or fetched from, and goes on with one")
    func withoutCoordinator() throws {
        let stack = try Office.stack()
        let model = stack.container.managedObjectModel
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        #expect(context.registeredObjects.isEmpty)
        let object = NSManagedObject(entity: model.entitiesByName["Clerk"]!, insertInto: context)
        object.setValue("Anna", forKey: "name")
        context.processPendingChanges()
        #expect(context.hasChanges)
        #expect(context.insertedObjects == [object])
        #expect(object.managedObjectContext === context)
        #expect(throws: NSError.self) { try context.save() }
        #expect(throws: NSError.self) { try context.fetch(NSFetchRequest<Clerk>(entityName: "Clerk")) }
        context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        try context.save()
        #expect(try context.fetch(NSFetchRequest<Clerk>(entityName: "Clerk")) == [object])
    }

    @Test("Classes without a model have an entity of their name, and an error is logged")
    func orphans() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            #expect(Orphan.entity().name == "Orphan")
            #expect(Orphan.entity() === Orphan.entity())
            #expect(Orphan.fetchRequest().entityName == "Orphan")
            _ = Orphan()
        }
        let text = error(result)
        #expect(text.contains("No NSEntityDescriptions in any model claim") && text.contains("'Orphan'"), "\(text)")
        #expect(text.contains("Failed to call designated initializer on NSManagedObject class 'Orphan'"), "\(text)")
    }

    @Test("Clerk() of a class with an entity logs the same, and is an object of that entity outside of a context")
    func plainInitializer() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let stack = try Office.stack()
            let clerk = Clerk()
            #expect(clerk.entity === stack.container.managedObjectModel.entitiesByName["Clerk"])
            #expect(clerk.name == "nobody" && clerk.managedObjectContext == nil)
        }
        let text = error(result)
        #expect(text.contains("Failed to call designated initializer on NSManagedObject class 'Clerk'"), "\(text)")
        #expect(!text.contains("No NSEntityDescriptions"), "\(text)")
    }

    @Test("Clerk.entity() is that of a model that is still there when its stack has gone")
    func afterTheStack() async {
        await #expect(processExitsWith: .success) {
            let model = Office.model()
            do {
                let stack = try TemporaryStack(model: model)
                #expect(Clerk.entity() === model.entitiesByName["Clerk"])
                withExtendedLifetime(stack) {}
            }
            #expect(Clerk.entity().name == "Clerk")
            #expect(Clerk.entity().attributesByName["age"] != nil)
        }
    }

    @Test("A class of several entities is taken for the first, and a warning is logged")
    func severalEntities() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let stack = try Office.stack()
            #expect(Shared(context: stack.context()).entity.name == "First")
            #expect(Shared.entity().name == "First")
        }
        #expect(error(result).contains("Multiple NSEntityDescriptions claim"), "\(error(result))")
    }
}

private enum Outer {
    final class Inner: NSManagedObject {}
}
private final class Hidden: NSManagedObject {}

/// A class inside of another.
class Enclosing {
    final class Enclosed: NSManagedObject {}
}

@Suite("Names of classes") struct ClassNameTests {
    @Test("are told of every class, and lead back to it")
    func roundTrip() {
        let classes: [AnyClass] = [
            Clerk.self, Enclosing.Enclosed.self, Outer.Inner.self, Hidden.self, NSManagedObject.self, NSString.self,
            NSFetchRequest<Clerk>.self,
        ]
        for objectClass in classes { #expect(NSClassFromString(NSStringFromClass(objectClass)) == objectClass) }
    }

    @Test("are those of a Mac")
    func names() {
        let module = String(reflecting: Clerk.self).split(separator: ".")[0]
        #expect(NSStringFromClass(Clerk.self) == "\(module).Clerk")
        #expect(NSStringFromClass(Enclosing.Enclosed.self) == "_TtCC\(module.count)\(module)9Enclosing8Enclosed")
        #expect(NSStringFromClass(NSManagedObject.self) == "NSManagedObject")
        #expect(NSClassFromString("\(module).Enclosing.Enclosed") == Enclosing.Enclosed.self)
    }

    @Test("that no class has give none")
    func unknown() {
        for name in ["", "Nothing", "No.Thing", "_TtC3x", "_Tt", "a b", "..", "_TtC99999999999999999999x"] {
            #expect(NSClassFromString(name) == nil)
        }
    }

    @Test("by which an entity finds a class inside of another")
    func entities() throws {
        let entity = NSEntityDescription()
        entity.name = "Enclosed"
        entity.managedObjectClassName = NSStringFromClass(Enclosing.Enclosed.self)
        #expect(NSManagedObject(entity: entity, insertInto: nil) is Enclosing.Enclosed)
    }
}
