import Foundation
import ManagedObjectModel
import Testing

@Suite("What a model and its parts print") struct PrintedDescriptionTests {
    private func model() -> NSManagedObjectModel {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.defaultValue = "\"none\""
        let (pets, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        let (person, pet) = (NSEntityDescription(), NSEntityDescription())
        (person.name, pet.name) = ("Person", "Pet")
        (pets.name, owner.name) = ("pets", "owner")
        (pets.destinationEntity, owner.destinationEntity) = (pet, person)
        (pets.inverseRelationship, owner.inverseRelationship) = (owner, pets)
        owner.maxCount = 1
        owner.deleteRule = .cascadeDeleteRule
        person.properties = [name, pets]
        person.uniquenessConstraints = [["name"]]
        pet.properties = [owner]
        let model = NSManagedObjectModel()
        model.entities = [person, pet]
        return model
    }

    /// A text without the addresses of objects.
    private func text(_ object: NSObject) -> String {
        "\(object)".replacing(#/0x[0-9a-f]+/#, with: "0x0")
    }

    @Test("An attribute and a relationship say all that they are, as on Apple's platforms")
    func properties() throws {
        let model = model()
        let person = try #require(model.entitiesByName["Person"])
        let pet = try #require(model.entitiesByName["Pet"])
        let name = try #require(person.attributesByName["name"])
        let common =
            "renamingIdentifier name, validation predicates (\n), warnings (\n), versionHashModifier (null)\n userInfo {\n}"
        #expect(
            text(name)
                == "(<NSAttributeDescription: 0x0>), name name, isOptional 1, isTransient 0, entity Person, \(common), "
                + "attributeType 700 , attributeValueClassName NSString, defaultValue \"none\", "
                + "preservesValueInHistoryOnDeletion NO")
        let owner = try #require(pet.relationshipsByName["owner"])
        #expect(
            text(owner).hasSuffix(
                "destination entity Person, inverseRelationship pets, minCount 0, maxCount 1, isOrdered 0, deleteRule 2"
            ))
    }

    @Test("An entity and a model list their parts by name")
    func lists() throws {
        let model = model()
        let person = try #require(model.entitiesByName["Person"])
        let printed = text(person)
        #expect(
            printed.hasPrefix(
                "(<NSEntityDescription: 0x0>) name Person, managedObjectClassName NSManagedObject, "
                    + "renamingIdentifier Person, isAbstract 0, superentity name (null), properties {\n    name = \"("))
        #expect(printed.contains(#"defaultValue \"none\", "#))
        #expect(printed.contains(#"validation predicates (\n)"#))
        #expect(
            printed.hasSuffix(
                "}, subentities {\n}, userInfo {\n}, versionHashModifier (null), uniquenessConstraints (\n    \"(name)\"\n)"
            ))
        #expect(text(model).hasPrefix("(<NSManagedObjectModel: 0x0>) isEditable 1, entities {\n    Person = \"("))
        #expect(text(model).hasSuffix("}, fetch request templates {\n}"))
    }
}
