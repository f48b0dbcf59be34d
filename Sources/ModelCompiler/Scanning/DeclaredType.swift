import SwiftSyntax

/// A type that a source file declares.
struct DeclaredType {
    /// What it is declared as.
    enum Form {
        case `class`, `struct`, `enum`, `protocol`
        case alias(TypeSyntax)
    }

    let name: String
    let form: Form
    let access: AccessLevel
    /// The names of its generic parameters.
    let parameters: [String]
    /// What it inherits from and conforms to, as written.
    let inherited: [TypeSyntax]
    /// The first case of an enum without associated values.
    let firstCase: String?
    /// The name that `@objc(Name)` gives it on Apple's platforms.
    let objectiveCName: String?
    /// Whether `@objcMembers` makes its members Objective-C's on Apple's platforms.
    let hasObjectiveCMembers: Bool
    let scope: LexicalScope

    /// Whether code in other files can't see it, as it is private or in something that is.
    var isPrivate: Bool { access.isPrivate || scope.levels.contains { $0.access?.isPrivate ?? false } }

    /// What a mangled name calls it. Nil for an alias, which has no place in mangled names.
    var kind: NominalType.Kind? {
        switch form {
        case .class: .class
        case .struct: .struct
        case .enum: .enum
        case .protocol: .protocol
        case .alias: nil
        }
    }
}
