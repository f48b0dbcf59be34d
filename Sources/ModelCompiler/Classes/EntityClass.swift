import ManagedObjectModel

/// An entity as far as its class depends on it.
struct EntityClass {
    /// What Xcode's inspector calls "Codegen".
    enum Generation: String {
        /// "Manual/None".
        case none
        /// "Category/Extension".
        case category
        /// "Class Definition".
        case `class`
    }

    /// A property and its type in Swift.
    struct Property {
        /// What the property is.
        enum Kind {
            case attribute
            case toOne
            case toMany(memberClass: String, isOrdered: Bool)
            case fetched
        }

        let name: String
        /// The type as it is written.
        let type: String
        let kind: Kind
        /// Where the model's file declares it.
        let position: TextPosition?
    }

    let entityName: String
    /// The name of the class without its module.
    let className: String
    /// The class that it inherits from.
    let superclassName: String
    let isRoot: Bool
    let generation: Generation
    let properties: [Property]
    /// Where the entity is declared.
    let file: String
    let position: TextPosition?
}
