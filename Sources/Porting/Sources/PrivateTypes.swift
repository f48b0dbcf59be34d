import SwiftSyntax

/// The types that a source has for itself, which the code that the plugin generates in another file can't name.
final class PrivateTypes: SyntaxVisitor {
    private var classes: Set<String> = []
    private var enumerations: Set<String> = []
    private var others: Set<String> = []

    init(_ tree: SourceFileSyntax) {
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    /// Whether the plugin can't write accessors of a property of this type. An object of a private class it passes like any other.
    func isHidden(_ type: TypeSyntax) -> Bool {
        if classes.isEmpty, enumerations.isEmpty, others.isEmpty { return false }
        let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType ?? type
        if let named = wrapped.as(IdentifierTypeSyntax.self), named.genericArgumentClause == nil {
            return enumerations.contains(named.name.text) || others.contains(named.name.text)
        }
        let all = classes.union(enumerations).union(others)
        return wrapped.tokens(viewMode: .sourceAccurate).contains { all.contains($0.text) }
    }

    /// Whether a type is one of the source's enumerations, not an optional one.
    func isEnumeration(_ type: TypeSyntax) -> Bool { enumerations.contains(type.trimmedDescription) }

    /// The value of an enumeration over integers, as Objective-C has it: an attribute without a value is 0.
    static func readingEnumeration(_ type: String, key: String) -> String {
        "\(type)(rawValue: .init(truncatingIfNeeded: value(forKey: \"\(key)\") as? Int ?? 0))!"
    }

    private static func isPrivate(_ modifiers: DeclModifierListSyntax) -> Bool {
        modifiers.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        if Self.isPrivate(node.modifiers) { classes.insert(node.name.text) }
        return .visitChildren
    }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        if Self.isPrivate(node.modifiers) { enumerations.insert(node.name.text) }
        return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        if Self.isPrivate(node.modifiers) { others.insert(node.name.text) }
        return .visitChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        if Self.isPrivate(node.modifiers) { others.insert(node.name.text) }
        return .visitChildren
    }
}
