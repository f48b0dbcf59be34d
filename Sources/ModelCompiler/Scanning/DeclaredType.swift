import SwiftSyntax

/// A type that a source file declares.
struct DeclaredType {
    /// What it is declared as.
    enum Form {
        case `class`, `struct`, `enum`, `protocol`
        case alias(TypeSyntax)
    }

    /// Where its `init()` comes from.
    enum PlainInitializer {
        /// It declares one that replaces none of its superclass, which so can't be called through the superclass's metatype.
        case own
        case overriding
        /// It declares no initialisers, and has those of its superclass.
        case inherited
        /// It declares others alone, or one that not everybody can call.
        case none
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
    let plainInitializer: PlainInitializer
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

extension DeclaredType.PlainInitializer {
    init(of block: MemberBlockSyntax) {
        let initializers = block.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        let plain = initializers.first { initializer in
            initializer.signature.parameterClause.parameters.isEmpty && initializer.signature.effectSpecifiers == nil
                && initializer.optionalMark == nil && !initializer.attributes.containGlobalActor
                && AccessLevel(initializer.modifiers)?.isPrivate != true
        }
        if let plain {
            self = plain.modifiers.contains { $0.name.tokenKind == .keyword(.override) } ? .overriding : .own
        } else {
            let isDesignated = initializers.contains { initializer in
                !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
            }
            self = isDesignated ? .none : .inherited
        }
    }
}
