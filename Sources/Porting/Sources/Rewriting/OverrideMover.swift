import SwiftParser
import SwiftSyntax

/// Moves overrides that are declared in extensions into their class, where that is in the same file.
///
/// Swift allows them in extensions for Objective-C's methods only.
final class OverrideMover: SyntaxVisitor {
    private let tree: SourceFileSyntax
    private let style: PortingStyle
    private let path: String
    private let converter: SourceLocationConverter
    private let bytes: [UInt8]
    private var edits: [SourceEdit] = []
    /// The classes at the top level of the file.
    private let classes: [String: ClassDeclSyntax]

    /// The source with the overrides in its classes.
    static func move(in text: String, path: String, style: PortingStyle) -> String {
        guard text.contains("override"), text.contains("extension") else { return text }
        let mover = OverrideMover(text, path: path, style: style)
        mover.walk(mover.tree)
        return mover.edits.isEmpty ? text : SourceEdit.apply(mover.edits, to: mover.bytes)
    }

    private init(_ text: String, path: String, style: PortingStyle) {
        tree = Parser.parse(source: text)
        bytes = Array(text.utf8)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        self.path = path
        self.style = style
        let classes = tree.statements.compactMap { $0.item.as(ClassDeclSyntax.self) }
        self.classes = Dictionary(classes.map { ($0.name.plain, $0) }, uniquingKeysWith: { first, _ in first })
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        for item in node {
            guard let node = item.item.as(ExtensionDeclSyntax.self), node.genericWhereClause == nil,
                let name = node.extendedType.as(IdentifierTypeSyntax.self)?.name.plain, let owner = classes[name]
            else { continue }
            for member in node.memberBlock.members where Self.isOverride(member.decl) {
                // A member without access of its own takes the extension's.
                guard node.modifiers.isEmpty else { continue }
                move(member, to: owner)
            }
        }
        return .skipChildren
    }

    private static func isOverride(_ declaration: DeclSyntax) -> Bool {
        let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
        return modifiers?.contains { $0.name.tokenKind == .keyword(.override) } ?? false
    }

    private func move(_ member: MemberBlockItemSyntax, to owner: ClassDeclSyntax) {
        let brace = owner.memberBlock.rightBrace
        switch style {
        case .portable:
            // Comments go along.
            let range = member.position.utf8Offset..<member.trimmedEnd
            let text = String(decoding: bytes[range].drop { $0 == UInt8(ascii: "\n") }, as: UTF8.self)
            let isOnOwnLine = brace.leadingTrivia.contains { if case .newlines = $0 { true } else { false } }
            edits.append(SourceEdit(insert: (isOnOwnLine ? "\n\n" : "\n") + text, at: brace.position.utf8Offset))
            if !isOnOwnLine { edits.append(SourceEdit(insert: "\n", at: brace.position.utf8Offset)) }
            edits.append(SourceEdit(range, ""))
        case .overlay:
            let range = member.trimmedStart..<member.trimmedEnd
            let text = String(decoding: bytes[range], as: UTF8.self)
            edits.append(
                SourceEdit(
                    insert: "\n\(location(of: member))\n\(text)\n\(location(of: brace))\n", at: brace.trimmedStart))
            let lines = bytes[range].count { $0 == UInt8(ascii: "\n") }
            edits.append(SourceEdit(range, String(repeating: "\n", count: lines)))
        }
    }

    private func location(of node: some SyntaxProtocol) -> String {
        "#sourceLocation(file: \"\(path)\", line: \(node.startLocation(converter: converter).line))"
    }
}
