import Foundation
import ManagedObjectModel
import Testing

@Suite("Differences between versions say whether lightweight migration can follow")
struct ModelDifferenceTests {
    private let old = LibraryModel.make()
    private let new = LibraryModel.make()

    private var difference: ModelDifference { ModelDifference(from: old, to: new) }

    private func entity(_ name: String) throws -> NSEntityDescription {
        try #require(new.entitiesByName[name])
    }

    @Test("Equal models have none")
    func equal() {
        #expect(difference.changes.isEmpty && difference.isCompatible && difference.allowsLightweightMigration)
    }

    @Test("A new optional attribute is no obstacle, a new required one without a default is")
    func addedAttributes() throws {
        try entity("Book").properties += [LibraryModel.attribute("blurb", .string)]
        #expect(difference.changes.map(\.description) == ["Book.blurb: the property is new"])
        #expect(difference.allowsLightweightMigration && !difference.isCompatible)
        try entity("Book").properties += [LibraryModel.attribute("edition", .integer16, optional: false)]
        #expect(difference.obstacles.map(\.property) == ["edition"])
    }

    @Test("A renaming identifier ties a property and an entity to the old ones")
    func renamed() throws {
        let book = try entity("Book")
        book.name = "Volume"
        book.renamingIdentifier = "Book"
        book.attributesByName["pages"]?.renamingIdentifier = "pages"
        book.attributesByName["pages"]?.name = "pageCount"
        #expect(
            difference.changes.map(\.description) == [
                "Volume: the entity was called Book", "Volume.pageCount: the property was called pages",
            ])
        #expect(difference.allowsLightweightMigration)
    }

    @Test("Without one, the old is gone and the new is new")
    func notRenamed() throws {
        try entity("Book").attributesByName["pages"]?.name = "pageCount"
        #expect(difference.changes.map(\.kind) == [.added, .removed])
    }

    @Test("Another type, to-many to to-one, and required without a default are obstacles")
    func obstacles() throws {
        try entity("Book").attributesByName["pages"]?.type = .string
        try entity("Book").attributesByName["isbn"]?.isOptional = false
        try entity("Author").relationshipsByName["works"]?.maxCount = 1
        #expect(
            difference.obstacles.map { "\($0.entity).\($0.property ?? "")" } == [
                "Author.works", "Book.isbn", "Book.pages",
            ])
    }

    @Test("A property that moves up the hierarchy is neither gone nor an obstacle")
    func movedUp() throws {
        let pages = try #require(try entity("Book").attributesByName["pages"])
        try entity("Book").properties.removeAll { $0 === pages }
        try entity("Work").properties += [pages]
        #expect(difference.changes.allSatisfy { $0.kind != .removed })
        #expect(difference.allowsLightweightMigration)
    }

    /// `First` and `Second` below `Base`, and `Child` below one of them.
    private static func family(
        child parent: String, first: [NSAttributeDescription], second: [NSAttributeDescription]
    ) -> NSManagedObjectModel {
        let names = ["Base", "First", "Second", "Child"]
        let entities = Dictionary(
            uniqueKeysWithValues: names.map { name in
                let entity = NSEntityDescription()
                entity.name = name
                return (name, entity)
            })
        entities["First"]?.properties = first
        entities["Second"]?.properties = second
        entities["Base"]?.subentities = ["First", "Second"].compactMap { entities[$0] }
        entities[parent]?.subentities = [entities["Child"]].compactMap(\.self)
        let model = NSManagedObjectModel()
        model.entities = names.compactMap { entities[$0] }
        return model
    }

    @Test("An entity that moves below another parent is compared with what it inherits there")
    func moved() {
        func difference(_ first: NSAttributeDescription?, _ second: NSAttributeDescription) -> ModelDifference {
            let firsts = [first].compactMap(\.self)
            return ModelDifference(
                from: Self.family(
                    child: "First", first: firsts, second: [second.copy() as! NSAttributeDescription]),
                to: Self.family(
                    child: "Second", first: firsts.map { $0.copy() as! NSAttributeDescription }, second: [second]))
        }
        let number = LibraryModel.attribute("p", .integer64)
        let other = difference(number, LibraryModel.attribute("p", .string))
        #expect(other.obstacles.map { "\($0.entity).\($0.property ?? "")" } == ["Child.p"])
        #expect(difference(number, LibraryModel.attribute("p", .integer64)).allowsLightweightMigration)
        #expect(!difference(number, LibraryModel.attribute("p", .integer16)).allowsLightweightMigration)
        let required = difference(nil, LibraryModel.attribute("p", .string, optional: false))
        #expect(required.obstacles.map { "\($0.entity).\($0.property ?? "")" } == ["Child.p"])
        let optional = difference(number, LibraryModel.attribute("q", .string))
        #expect(optional.allowsLightweightMigration)
        #expect(
            optional.changes.map(\.description).suffix(2) == [
                "Child.p: the property is gone, and its values with it", "Child.q: the property is new",
            ])
    }

    @Test("What doesn't matter to stored data is told, and is no obstacle")
    func immaterial() throws {
        let book = try entity("Book")
        let pages = try #require(book.attributesByName["pages"])
        book.managedObjectClassName = "Volume"
        book.userInfo = ["note": "new"]
        pages.userInfo = ["note": "new"]
        let element = NSFetchIndexElementDescription(property: pages, collationType: .binary)
        book.indexes = [NSFetchIndexDescription(name: "byPages", elements: [element])]
        new.setEntities([book], forConfigurationName: "Shop")
        new.setFetchRequestTemplate(NSFetchRequest<NSFetchRequestResult>(entityName: "Book"), forName: "all")
        #expect(
            difference.changes.map(\.description) == [
                "Book: it joined the configuration Shop",
                "Book: the class of its objects was NSManagedObject and is Volume",
                "Book: the fetch request all is new", "Book: the index byPages is new", "Book: the user info changed",
                "Book.pages: its user info changed",
            ])
        #expect(difference.allowsLightweightMigration && difference.isCompatible)
    }

    @Test("A version of a real model does not differ from itself, compiled or not", .enabled(if: Fixtures.arePresent))
    func realModels() throws {
        for path in Fixtures.sourcePaths.prefix(60) {
            let model = try ModelFile.read(Fixtures.url(path))
            let compiled = try ModelFile.read(data: model.archivedData())
            let difference = ModelDifference(from: model, to: compiled)
            #expect(difference.changes.isEmpty, "\(path): \(difference.changes.prefix(3))")
        }
    }

    @Test("Two hierarchies cannot be joined")
    func joinedHierarchies() throws {
        try entity("Work").subentities += [try entity("Author")]
        #expect(!difference.allowsLightweightMigration)
    }
}
