import SwiftSyntax

/// A property or method that is marked `@NSManaged`, and so has no body.
struct ManagedDeclaration {
    /// A parameter of a method.
    struct Parameter {
        /// The label at calls; nil is "_".
        let label: String?
        let type: TypeSyntax
    }

    /// What is declared.
    enum Form {
        case property(type: TypeSyntax)
        case method(parameters: [Parameter], result: TypeSyntax?)
    }

    let name: String
    /// The name of the property for key-value coding where `@objc(key)` gives it one.
    let objectiveCName: String?
    let form: Form
    let access: AccessLevel
    let scope: LexicalScope
    let line: Int
    let column: Int
}
