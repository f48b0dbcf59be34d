import CoreData
import Foundation
import Observation
import Testing

private class Article: NSManagedObject { var draft = "draft" }
private final class Tag: NSManagedObject {
    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        madeByItsOwn = true
    }
    var madeByItsOwn = false
}

/// A class with an initialiser of its own alone, as on a Mac it may be.
private final class Entry: NSManagedObject {
    init(title: String, in context: NSManagedObjectContext) {
        super.init(
            entity: NSEntityDescription.entity(forEntityName: "Entry", in: context)!, insertInto: context)
        setValue(title, forKey: "name")
    }
}

private protocol Managed {}
extension Managed where Self: NSManagedObject {
    static func insert(into context: NSManagedObjectContext) -> Self { Self(context: context) }
    static func insertByEntity(into context: NSManagedObjectContext) -> Self {
        self.init(entity: entity(), insertInto: context)
    }
}
extension Article: Managed {}
extension Article: Observable {}

extension NSManagedObject {
    fileprivate convenience init(usedIn context: NSManagedObjectContext) {
        let name = String(describing: type(of: self))
        self.init(entity: NSEntityDescription.entity(forEntityName: name, in: context)!, insertInto: context)
    }
    fileprivate class func create(in context: NSManagedObjectContext) -> Self { self.init(context: context) }
}

extension NSPersistentStoreCoordinator {
    fileprivate class func prepared(for model: NSManagedObjectModel) -> Self { self.init(managedObjectModel: model) }
}
extension NSPersistentContainer {
    fileprivate static func prepared(for model: NSManagedObjectModel) -> Self {
        Self(name: "Metatypes", managedObjectModel: model)
    }
}
extension NSManagedObjectContext {
    fileprivate static func prepared() -> Self { self.init(concurrencyType: .privateQueueConcurrencyType) }
    fileprivate static func preparedNewer() -> Self { Self(.privateQueue) }
}
extension NSManagedObjectModel {
    fileprivate static func merged(_ models: [NSManagedObjectModel]) -> Self? { self.init(byMerging: models) }
    fileprivate static func read(_ url: URL) -> Self? { self.init(contentsOf: url) }
}
extension NSFetchRequest {
    fileprivate static func all(_ name: String) -> Self { self.init(entityName: name) }
}
extension NSPersistentStoreDescription {
    fileprivate static func described(_ url: URL) -> Self { Self(url: url) }
}
extension NSFetchedResultsController {
    fileprivate static func following(_ request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext) -> Self
    {
        Self(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    }
}

private final class Coordinator: NSPersistentStoreCoordinator, @unchecked Sendable {}
private final class Container: NSPersistentContainer, @unchecked Sendable {}
private final class Context: NSManagedObjectContext, @unchecked Sendable {
    override init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        super.init(concurrencyType: concurrencyType)
        name = "by the override"
    }
    required init?(coder: NSCoder) { nil }
}
private final class Model: NSManagedObjectModel {}
private final class Description: NSPersistentStoreDescription {}
private final class Controller: NSFetchedResultsController<NSManagedObject> {}

// None of these writes an initialiser that it doesn't have on Apple's platforms.
private final class ClosureTransformer: ValueTransformer {
    let change: (Any?) -> Any?
    init(_ change: @escaping (Any?) -> Any?) {
        self.change = change
        super.init()
    }
    override func transformedValue(_ value: Any?) -> Any? { change(value) }
}
private final class Policy: NSEntityMigrationPolicy {
    init(label: String) { super.init() }
}
private final class Manager: NSMigrationManager {
    init(model: NSManagedObjectModel) { super.init(sourceModel: model, destinationModel: model) }
}
private final class NamedEntity: NSEntityDescription {
    init(named name: String) {
        super.init()
        self.name = name
    }
    required init?(coder: NSCoder) { nil }
}
private final class NamedAttribute: NSAttributeDescription {
    init(named name: String) {
        super.init()
        self.name = name
    }
    required init?(coder: NSCoder) { nil }
}
private final class NamedRequest: NSFetchRequest<NSManagedObject> {
    init(named name: String) {
        super.init()
        entity = NamedEntity(named: name)
    }
    required init?(coder: NSCoder) { nil }
}

@Suite("Initialisers on metatype values")
struct MetatypeInitializerTests {
    private let model: NSManagedObjectModel
    private let context: NSManagedObjectContext

    init() throws {
        let classes: [String: NSManagedObject.Type] = ["Article": Article.self, "Tag": Tag.self, "Entry": Entry.self]
        let model = NSManagedObjectModel()
        model.entities = classes.map(Self.entity)
        self.model = model
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    private static func entity(_ name: String, _ objectClass: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(objectClass)
        let title = NSAttributeDescription()
        title.name = "name"
        title.attributeType = .stringAttributeType
        entity.properties = [title]
        return entity
    }

    @Test func `objects are of the class that the metatype value is, by every initialiser`() {
        context.performAndWait {
            for objectClass in [Article.self, Tag.self] as [NSManagedObject.Type] {
                let entity = model.entitiesByName["\(objectClass)"]!
                for object in [
                    objectClass.init(context: context), objectClass.init(entity: entity, insertInto: context),
                    objectClass.init(entity: entity, insertInto: nil), objectClass.create(in: context),
                ] {
                    #expect(type(of: object) == objectClass)
                    #expect(object.entity == entity)
                    #expect((object as? Tag)?.madeByItsOwn ?? true)
                    #expect((object as? Article)?.draft ?? "draft" == "draft")
                }
            }
        }
    }

    @Test func `protocol extensions and extensions of the base class make objects of the class`() {
        context.performAndWait {
            #expect(type(of: Article.insert(into: context)) == Article.self)
            #expect(Article.insertByEntity(into: context).draft == "draft")
            #expect(type(of: Tag(usedIn: context)) == Tag.self)
            #expect(Article(usedIn: context).entity.name == "Article")
        }
    }

    @Test func `a class with an initialiser of its own alone compiles, and makes objects by it`() throws {
        try context.performAndWait {
            let entry = Entry(title: "One", in: context)
            #expect(entry.value(forKey: "name") as? String == "One")
            try context.save()
            #expect(try context.fetch(NSFetchRequest<Entry>(entityName: "Entry")).first === entry)
        }
    }

    @Test func `the classes of the stack can be made by class methods of extensions`() {
        #expect(type(of: Coordinator.prepared(for: model)) == Coordinator.self)
        #expect(Coordinator.prepared(for: model).managedObjectModel === model)
        #expect(Container.prepared(for: model).name == "Metatypes")
        #expect(Context.prepared().name == "by the override")
        #expect(type(of: Context.preparedNewer()) == Context.self)
        #expect(Model.merged([model])?.entities.count == 3)
        #expect(Model.read(URL(fileURLWithPath: "/nowhere.momd")) == nil)
        #expect(NSFetchRequest<Article>.all("Article").entityName == "Article")
        #expect(Description.described(URL(fileURLWithPath: "/a.sqlite")).url?.path == "/a.sqlite")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        #expect(Controller.following(request, in: context).fetchRequest === request)
    }

    @Test func `descriptions, transformers and policies are made of classes that are known at run time only`() {
        for kind in [NSAttributeDescription.self, NSRelationshipDescription.self] as [NSPropertyDescription.Type] {
            #expect(type(of: kind.init()) == kind)
        }
        let transformer: ValueTransformer.Type = NSSecureUnarchiveFromDataTransformer.self
        #expect(transformer.init() is NSSecureUnarchiveFromDataTransformer)
        let any: NSObject.Type = NSEntityMigrationPolicy.self
        #expect(any.init() is NSEntityMigrationPolicy)
    }

    @Test func `subclasses with initialisers of their own write no others`() {
        #expect(ClosureTransformer { _ in 5 }.transformedValue(1) as? Int == 5)
        #expect(NamedEntity(named: "A").name == "A")
        #expect(NamedAttribute(named: "b").name == "b")
        #expect(NamedRequest(named: "C").entity?.name == "C")
        #expect(Manager(model: model).sourceModel.entities.count == 3)
        _ = Policy(label: "")
    }
}
