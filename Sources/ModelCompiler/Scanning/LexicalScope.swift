import SwiftSyntax

/// Where in a file a declaration stands, from the outermost type or extension inwards.
struct LexicalScope {
    /// A type or extension around a declaration.
    enum Level {
        case type(DeclaredType.Form, name: String, access: AccessLevel?, parameters: [String])
        case `extension`(of: TypeSyntax, access: AccessLevel?, isConstrained: Bool, isObjectiveC: Bool)

        var access: AccessLevel? {
            switch self {
            case .type(_, _, let access, _): access
            case .extension(_, let access, _, _): access
            }
        }
    }

    /// The path of the file.
    let file: String
    var levels: [Level] = []
    /// The conditions of compilation that the declaration is under.
    var conditions: [String] = []
    /// Whether a type or extension around is an actor's, so that code elsewhere can't use it freely.
    var isIsolated = false
    /// Whether the declaration is inside of a function, where other files can't reach.
    var isLocal = false
    /// Whether the members of the innermost extension are Objective-C's on Apple's platforms, because it is marked so.
    var hasObjectiveCMembers: Bool {
        if case .extension(_, _, _, let isObjectiveC)? = levels.last { isObjectiveC } else { false }
    }

    /// How far a member with these modifiers can be seen, not counting what is around it.
    func access(of modifiers: DeclModifierListSyntax) -> AccessLevel {
        if let written = AccessLevel(modifiers) { return written }
        // Members of an extension have the access that the extension says, where it says one.
        if case .extension(_, let access?, _, _)? = levels.last { return access }
        return .internal
    }
}
