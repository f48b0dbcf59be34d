import Foundation
import ManagedObjectModel
import Testing

@Suite("A model in use can't be changed")
struct ImmutabilityTests {
    @Test("Adding an entity stops the program")
    func entities() async {
        await #expect(processExitsWith: .failure) {
            let model = LibraryModel.make()
            model.makeImmutable()
            model.entities += [LibraryModel.entity("Shelf")]
        }
    }

    @Test("Changing an entity stops the program")
    func entity() async {
        await #expect(processExitsWith: .failure) {
            let model = LibraryModel.make()
            model.makeImmutable()
            model.entitiesByName["Book"]?.isAbstract = true
        }
    }

    @Test("Changing a property stops the program")
    func property() async {
        await #expect(processExitsWith: .failure) {
            let model = LibraryModel.make()
            model.makeImmutable()
            model.entitiesByName["Book"]?.attributesByName["pages"]?.isOptional = false
        }
    }

    @Test("It may get a localization dictionary, which changes no object; giving it a template stops the program")
    func rest() async {
        let model = LibraryModel.make()
        model.makeImmutable()
        model.localizationDictionary = ["Entity/Book": "Buch"]
        #expect(model.localizationDictionary == ["Entity/Book": "Buch"])
        await #expect(processExitsWith: .failure) {
            let model = LibraryModel.make()
            model.makeImmutable()
            model.setFetchRequestTemplate(NSFetchRequest<NSFetchRequestResult>(entityName: "Book"), forName: "all")
        }
    }

    @Test("A copy can be changed")
    func copy() throws {
        let model = LibraryModel.make()
        model.makeImmutable()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        copy.entities += [LibraryModel.entity("Shelf")]
        copy.entitiesByName["Book"]?.isAbstract = true
        copy.localizationDictionary = ["Entity/Book": "Buch"]
        #expect(copy.entities.count == model.entities.count + 1)
        let again = try #require(copy.copy() as? NSManagedObjectModel)
        #expect(again.localizationDictionary == ["Entity/Book": "Buch"])
    }

    @Test("Merging different entities of one name stops the program")
    func merging() async {
        await #expect(processExitsWith: .failure) {
            let model = LibraryModel.make()
            model.entitiesByName["Book"]?.attributesByName["pages"]?.isOptional = false
            _ = NSManagedObjectModel(byMerging: [LibraryModel.make(), model])
        }
    }
}
