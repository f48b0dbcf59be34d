import SwiftSyntax

/// The types that a source has for itself, which the code that the plugin generates in another file can't name. The porting tool writes
/// the bodies of properties of such types in the source.
package final class PrivateTypes: SyntaxVisitor {
    private var classes: Set<String> = []
    private var enumerations: Set<String> = []
    private var others: Set<String> = []
    /// How many private types are around what is being visited.
    private var depth = 0

    /// Collects those of a source.
    package init(_ tree: SourceFileSyntax) {
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    /// Whether the plugin can't write accessors of a property of this type. An object of a private class it passes like any other.
    package func isHidden(_ type: TypeSyntax) -> Bool {
        if classes.isEmpty, enumerations.isEmpty, others.isEmpty { return false }
        let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType ?? type
        if let named = wrapped.as(IdentifierTypeSyntax.self), named.genericArgumentClause == nil {
            return enumerations.contains(named.name.text) || others.contains(named.name.text)
        }
        let all = classes.union(enumerations).union(others)
        return wrapped.tokens(viewMode: .sourceAccurate).contains { all.contains($0.text) }
    }

    /// The same of a type in its source.
    static func isHidden(inItsSource type: TypeSyntax) -> Bool {
        type.root.as(SourceFileSyntax.self).map { PrivateTypes($0).isHidden(type) } ?? false
    }

    /// Whether a type is one of the source's enumerations, not an optional one.
    package func isEnumeration(_ type: TypeSyntax) -> Bool { enumerations.contains(type.trimmedDescription) }

    /// The value of an enumeration over integers, as Objective-C has it: an attribute without a value is 0.
    package static func readingEnumeration(_ type: String, key: String) -> String {
        "\(type)(rawValue: .init(truncatingIfNeeded: value(forKey: \"\(key)\") as? Int ?? 0))!"
    }

    /// Whether a type is private, or inside of one that is; what is inside of it is visited next.
    private func enter(_ modifiers: DeclModifierListSyntax) -> Bool {
        let isPrivate = modifiers.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
        if isPrivate || depth > 0 { depth += 1 }
        return depth > 0
    }

    private func leave() { if depth > 0 { depth -= 1 } }

    package override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        if enter(node.modifiers) { classes.insert(node.name.text) }
        return .visitChildren
    }

    package override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        if enter(node.modifiers) { enumerations.insert(node.name.text) }
        return .visitChildren
    }

    package override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        if enter(node.modifiers) { others.insert(node.name.text) }
        return .visitChildren
    }

    package override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        if enter(node.modifiers) { others.insert(node.name.text) }
        return .visitChildren
    }

    package override func visitPost(_ node: ClassDeclSyntax) { leave() }
    package override func visitPost(_ node: EnumDeclSyntax) { leave() }
    package override func visitPost(_ node: StructDeclSyntax) { leave() }
    package override func visitPost(_ node: TypeAliasDeclSyntax) { leave() }
}
