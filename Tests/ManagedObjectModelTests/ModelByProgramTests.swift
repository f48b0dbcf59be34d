import Foundation
import FoundationCompat
import ManagedObjectModel
import Testing

import class FoundationCompat.NSPredicate

@Suite("Models made by program")
struct ModelByProgramTests {
    private let model = LibraryModel.make()

    private func entity(_ name: String) throws -> NSEntityDescription {
        try #require(model.entitiesByName[name])
    }

    @Test("A subentity has its ancestors' properties")
    func inheritance() throws {
        let book = try entity("Book")
        #expect(Set(book.propertiesByName.keys) == ["title", "author", "pages", "isbn"])
        #expect(Set(book.attributesByName.keys) == ["title", "pages", "isbn"])
        #expect(Array(book.relationshipsByName.keys) == ["author"])
        #expect(book.properties.count == 4)
        #expect(book.propertiesByName["title"]?.entity.name == "Work")
        #expect(book.superentity?.name == "Work")
        #expect(try book.isKindOf(entity: entity("Work")))
        #expect(try !entity("Work").isKindOf(entity: book))
        #expect(try entity("Work").subentitiesByName.keys.sorted() == ["Book", "Map"])
    }

    @Test("Adding to a subentity's properties does not declare the inherited ones again")
    func addingToInherited() throws {
        let book = try entity("Book")
        book.properties += [LibraryModel.attribute("blurb", .string)]
        #expect(book.properties.count == 5)
        #expect(try entity("Map").properties.count == 3)
    }

    @Test("Tables of a model in use are the same as before")
    func tablesInUse() throws {
        let before = try entity("Book").propertiesByName
        let hashes = model.entityVersionHashesByName
        model.makeImmutable()
        #expect(try entity("Book").propertiesByName == before)
        #expect(model.entityVersionHashesByName == hashes)
        #expect(try entity("Book").versionHash == hashes["Book"])
    }

    @Test("Defaults are those of Apple's pages")
    func defaults() {
        let relationship = NSRelationshipDescription()
        #expect(relationship.isToMany && relationship.minCount == 0 && relationship.maxCount == 0)
        #expect(relationship.deleteRule == .nullifyDeleteRule && !relationship.isOrdered)
        let attribute = NSAttributeDescription()
        #expect(attribute.isOptional && !attribute.isTransient && attribute.type == .undefined)
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        #expect(request.includesSubentities && request.includesPropertyValues && request.returnsObjectsAsFaults)
        #expect(request.includesPendingChanges && !request.returnsDistinctResults && request.fetchLimit == 0)
        #expect(request.resultType == .managedObjectResultType && request.sortDescriptors == nil)
        #expect(NSEntityDescription().managedObjectClassName == "NSManagedObject")
    }

    @Test(
        "Attributes name their values' class by their type",
        arguments: [
            (NSAttributeType.integer16AttributeType, "NSNumber"), (.decimalAttributeType, "NSDecimalNumber"),
            (.stringAttributeType, "NSString"), (.dateAttributeType, "NSDate"), (.binaryDataAttributeType, "NSData"),
            (.UUIDAttributeType, "NSUUID"), (.URIAttributeType, "NSURL"), (.compositeAttributeType, "NSDictionary"),
        ])
    func valueClassNames(type: NSAttributeType, className: String) {
        let attribute = NSAttributeDescription()
        attribute.attributeType = type
        #expect(attribute.attributeValueClassName == className)
    }

    @Test("A renaming identifier is the name where it is not set")
    func renamingIdentifier() throws {
        let book = try entity("Book")
        #expect(book.renamingIdentifier == "Book")
        #expect(book.attributesByName["pages"]?.renamingIdentifier == "pages")
        book.renamingIdentifier = "Volume"
        #expect(book.renamingIdentifier == "Volume")
    }

    @Test("A copy is equal, separate and leads to its own entities")
    func copy() throws {
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy == model)
        let book = try #require(copy.entitiesByName["Book"])
        #expect(try book !== entity("Book"))
        #expect(book.superentity === copy.entitiesByName["Work"])
        #expect(book.relationshipsByName["author"]?.destinationEntity === copy.entitiesByName["Author"])
        #expect(book.relationshipsByName["author"]?.inverseRelationship?.entity === copy.entitiesByName["Author"])
        book.attributesByName["pages"]?.type = .integer64
        #expect(copy != model)
    }

    @Test("A model that is dropped takes its entities along")
    func noCycles() {
        weak var weakModel: NSManagedObjectModel?
        weak var weakEntity: NSEntityDescription?
        do {
            let model = LibraryModel.make()
            let book = model.entitiesByName["Book"]
            let fetched = NSFetchedPropertyDescription()
            fetched.name = "similar"
            fetched.fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
            book?.properties += [fetched]
            model.connectRelationships()
            weakModel = model
            weakEntity = book
        }
        #expect(weakModel == nil)
        #expect(weakEntity == nil)
    }

    @Test("Configurations hold some of the entities, and no name means all")
    func configurations() throws {
        model.setEntities([try entity("Author")], forConfigurationName: "People")
        #expect(model.configurations == ["People", "PF_DEFAULT_CONFIGURATION_NAME"])
        #expect(NSManagedObjectModel().configurations == ["PF_DEFAULT_CONFIGURATION_NAME"])
        #expect(model.entities(forConfigurationName: "People")?.map(\.name) == ["Author"])
        #expect(model.entities(forConfigurationName: nil)?.count == 4)
        #expect(model.entities(forConfigurationName: "Places") == nil)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy.entities(forConfigurationName: "People")?.first === copy.entitiesByName["Author"])
    }

    @Test("A template gives copies with values for its variables")
    func fetchRequestTemplate() throws {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        request.predicate = NSPredicate(format: "title == $title AND author != $nobody")
        model.setFetchRequestTemplate(request, forName: "byTitle")
        let copy = try #require(
            model.fetchRequestFromTemplate(
                withName: "byTitle", substitutionVariables: ["title": "Emma", "nobody": NSNull()]))
        #expect(copy !== request)
        #expect(copy.predicate?.predicateFormat.contains("Emma") == true)
        #expect(request.predicate?.predicateFormat.contains("$title") == true)
        #expect(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
    }

    @Test("A model is compatible with a store that has its hashes, and with no other")
    func compatibility() throws {
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        let changed = try #require(model.copy() as? NSManagedObjectModel)
        changed.entitiesByName["Book"]?.attributesByName["pages"]?.isOptional = false
        #expect(!changed.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(NSManagedObjectModel(byMerging: [changed], forStoreMetadata: metadata) == nil)
        #expect(NSManagedObjectModel(byMerging: [changed, model], forStoreMetadata: metadata) == model)
    }

    @Test("Merging joins models and takes an entity of both once")
    func merging() throws {
        let other = NSManagedObjectModel()
        other.entities = [LibraryModel.entity("Shelf", [LibraryModel.attribute("number", .integer16)])]
        let merged = try #require(NSManagedObjectModel(byMerging: [model, other, model]))
        #expect(Set(merged.entitiesByName.keys) == ["Work", "Book", "Map", "Author", "Shelf"])
        #expect(merged.entities.count == 5)
        #expect(merged.entitiesByName["Book"]?.superentity === merged.entitiesByName["Work"])
        for (name, hash) in model.entityVersionHashesByName {
            #expect(merged.entityVersionHashesByName[name] == hash)
        }
        #expect(NSManagedObjectModel(byMerging: nil) == nil)
    }

    @Test("Models of a bundle's resources merge into one, and any of their versions is found for a store")
    func bundleResources() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bundle")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let newer = LibraryModel.make()
        newer.entitiesByName["Book"]?.properties += [LibraryModel.attribute("blurb", .string)]
        try ModelVersions(models: ["Library": model, "Library 2": newer], currentVersionName: "Library 2")
            .writeCompiled(to: folder.appendingPathComponent("Library.momd"))
        let shop = NSManagedObjectModel()
        shop.entities = [LibraryModel.entity("Shelf")]
        try shop.archivedData().write(to: folder.appendingPathComponent("Shop.mom"))
        let bundle = try #require(Bundle(path: folder.path))
        let merged = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
        #expect(merged.entities.count == 5)
        #expect(merged.entitiesByName["Book"]?.attributesByName["blurb"] != nil)
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
        #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) == model)
        #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: [:]) == nil)
    }

    @Test("What does not matter to stored data leaves version hashes alone, what does changes them")
    func versionHashes() throws {
        let book = try entity("Book")
        let before = book.versionHash
        let pages = try #require(book.attributesByName["pages"])
        pages.defaultValue = 1
        pages.userInfo = ["note": "none"]
        book.managedObjectClassName = "Library.Book"
        book.relationshipsByName["author"]?.deleteRule = .denyDeleteRule
        #expect(book.versionHash == before)
        pages.versionHashModifier = "2"
        #expect(book.versionHash != before)
    }
    @Test("A property that belongs to no entity yet answers with one that has nothing")
    func propertyWithoutEntity() {
        let attribute = NSAttributeDescription()
        #expect(attribute.entity.name == nil && attribute.entity.uniquenessConstraints.isEmpty)
        let entity = NSEntityDescription()
        attribute.name = "a"
        entity.properties = [attribute]
        #expect(attribute.entity === entity)
    }

}
