@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// What a model's localization dictionary has for the names and texts of an error (Apple: `localizationDictionary`).
struct LocalizedModelTexts {
    private let texts: [String: String]
    private let entity: EntityLayout

    init(of entity: EntityLayout) {
        self.entity = entity
        texts = entity.model.model.localizationDictionary ?? [:]
    }

    /// The entity's name for people.
    var entityName: String { texts["Entity/\(entity.name)"] ?? entity.name }

    /// A property's name for people: that of the entity, of one that it inherits from, or of all properties of the name.
    func name(of property: PropertyLayout) -> String {
        var owner: EntityLayout? = texts.isEmpty ? nil : entity
        while let current = owner {
            if let text = texts["Property/\(property.name)/Entity/\(current.name)"] { return text }
            owner = current.superlayout
        }
        return texts["Property/\(property.name)"] ?? property.name
    }

    /// A text of the framework in the words of the model.
    func text(for text: String) -> String { texts["ErrorString/\(text)"] ?? text }
}
