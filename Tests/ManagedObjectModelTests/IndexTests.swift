import Foundation
import ManagedObjectModel
import Testing

@Suite("Indexes are set last")
struct IndexTests {
    private let model = LibraryModel.make()

    private func entity(_ name: String) throws -> NSEntityDescription {
        try #require(model.entitiesByName[name])
    }

    private func addIndexes() throws {
        for (name, attribute) in [("Work", "title"), ("Book", "pages"), ("Map", "scale"), ("Author", "name")] {
            let property = try #require(try entity(name).attributesByName[attribute])
            let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
            try entity(name).indexes = [NSFetchIndexDescription(name: "by\(attribute)", elements: [element])]
        }
    }

    private func indexedEntities() -> [String] {
        model.entities.filter { !$0.indexes.isEmpty }.compactMap(\.name).sorted()
    }

    @Test("An index knows its entity, an element its index and property")
    func places() throws {
        try addIndexes()
        let index = try #require(try entity("Book").indexes.first)
        #expect(try index.entity === entity("Book"))
        #expect(index.elements.first?.indexDescription === index)
        #expect(try index.elements.first?.property === entity("Book").attributesByName["pages"])
    }

    @Test("Setting properties drops the indexes of the whole hierarchy, and of no other", arguments: ["Work", "Book"])
    func properties(name: String) throws {
        try addIndexes()
        #expect(indexedEntities() == ["Author", "Book", "Map", "Work"])
        try entity(name).properties += [LibraryModel.attribute("blurb", .string)]
        #expect(indexedEntities() == ["Author"])
    }

    @Test("Adding a subentity drops the indexes of both hierarchies")
    func addedSubentity() throws {
        try addIndexes()
        try entity("Work").subentities += [try entity("Author")]
        #expect(indexedEntities().isEmpty)
    }

    @Test("Taking a subentity away drops its indexes and those of the hierarchy it was in")
    func removedSubentity() throws {
        try addIndexes()
        try entity("Work").subentities = [try entity("Book")]
        #expect(indexedEntities() == ["Author"])
    }

    @Test("A copy of a model, of whatever depth, keeps them")
    func copy() throws {
        try addIndexes()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy == model)
        #expect(copy.entities.allSatisfy { $0.indexes.count == 1 })
    }

    @Test("R-tree and binary elements in one index stop the program")
    func mixedElements() async {
        await #expect(processExitsWith: .failure) {
            let types: [NSFetchIndexElementType] = [.binary, .rTree]
            let elements = types.map { type in
                NSFetchIndexElementDescription(property: LibraryModel.attribute("a", .double), collationType: type)
            }
            _ = NSFetchIndexDescription(name: "mixed", elements: elements)
        }
    }
}
