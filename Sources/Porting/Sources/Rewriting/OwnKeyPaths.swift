import SwiftSyntax

/// Finds key paths of the class that they stand in, `\Self.name`, which stop the program on Linux when they are read ("could not
/// demangle keypath type", seen with Swift 6.3), and writes the class's name.
final class OwnKeyPaths: SourceRewriter {
    private lazy var classes = ClassNames.declared(in: tree).union(surroundings.classes)

    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        guard isConcerned(text) else { return text }
        let keyPaths = OwnKeyPaths(text, style: style, surroundings: surroundings)
        keyPaths.walk(keyPaths.tree)
        return keyPaths.edits.isEmpty ? text : SourceEdit.apply(keyPaths.edits, to: keyPaths.bytes)
    }

    /// Whether a source has such key paths, perhaps in an extension of a class that others declare.
    static func isConcerned(_ text: String) -> Bool { text.contains("\\Self.") }

    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
        if let root = node.root?.as(IdentifierTypeSyntax.self), root.name.text == "Self",
            let name = enclosingClass(of: node)
        {
            edits.append(SourceEdit(root.trimmedStart..<root.trimmedEnd, name))
        }
        return .visitChildren
    }

    private func enclosingClass(of node: some SyntaxProtocol) -> String? {
        var owner = node.parent
        while let current = owner {
            if let declared = current.as(ClassDeclSyntax.self) { return declared.name.text }
            if let extended = current.as(ExtensionDeclSyntax.self)?.extendedType.as(IdentifierTypeSyntax.self)?.name {
                return classes.contains(extended.plain) ? extended.text : nil
            }
            if current.asProtocol((any DeclGroupSyntax).self) != nil { return nil }
            owner = current.parent
        }
        return nil
    }
}
