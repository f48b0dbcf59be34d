import ModelCompiler
import SwiftParser
import SwiftSyntax

/// Finds overrides in extensions of classes that are in another file of the target, or that a model generates: gives the member
/// another name, and the class an override that calls it. The plugin does the latter for generated classes.
///
/// For people, the extension has a second override, under a condition, for Apple's platforms.
final class ExtensionOverrides: SourceRewriter {
    private let path: String
    private let converter: SourceLocationConverter
    /// The classes that this source declares: ``OverrideMover`` is for them.
    private let ownClasses: Set<String>

    /// The source without overrides in extensions, and with those in its classes that other sources' extensions call for.
    static func rewrite(
        in text: String, path: String, style: PortingStyle, surroundings: PortingSurroundings
    ) -> String {
        let isConcerned =
            text.contains("override") && text.contains("extension")
            || surroundings.overrides.contains { text.contains("class \($0.className)") }
        guard isConcerned else { return text }
        let overrides = ExtensionOverrides(text, path: path, style: style, surroundings: surroundings)
        overrides.walk(overrides.tree)
        return overrides.edits.isEmpty ? text : SourceEdit.apply(overrides.edits, to: overrides.bytes)
    }

    private init(_ text: String, path: String, style: PortingStyle, surroundings: PortingSurroundings) {
        self.path = path
        let tree = Parser.parse(source: text)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        ownClasses = ClassNames.declared(in: tree)
        super.init(text, style: style, surroundings: surroundings)
    }

    // MARK: - Extensions

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.extendedType.as(IdentifierTypeSyntax.self)?.name.plain, !ownClasses.contains(name),
            surroundings.classes.contains(name)
        else { return .visitChildren }
        for member in node.memberBlock.members {
            guard let override = ExtensionOverride(member.decl, in: node) else { continue }
            rename(member.decl, to: override)
        }
        return .visitChildren
    }

    private func rename(_ member: DeclSyntax, to override: ExtensionOverride) {
        guard let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers,
            let modifier = modifiers.first(where: { $0.name.tokenKind == .keyword(.override) }),
            let name = member.memberName
        else { return }
        if style == .portable {
            let start = member.trimmedStart
            let indent = String(
                decoding: beginningOfLine(before: start).prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") },
                as: UTF8.self)
            let access = modifiers.first { ["public", "internal", "fileprivate"].contains($0.name.text) }
            let head = access.map { "\($0.name.text) " } ?? ""
            edits.append(
                SourceEdit(
                    insert:
                        "#if canImport(ObjectiveC)\n\(indent)\(head)\(override.forwarding)\n\(indent)#endif\n\(indent)",
                    at: start))
        }
        edits.append(SourceEdit(modifier.trimmedStart..<modifier.endPosition.utf8Offset, ""))
        edits.append(SourceEdit(name.trimmedStart..<name.trimmedEnd, override.name))
    }

    // MARK: - Classes

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        let missing = surroundings.overrides.filter { $0.className == node.name.plain && !declares($0, node) }
        guard !missing.isEmpty, node.parent?.is(CodeBlockItemSyntax.self) ?? false else { return .visitChildren }
        let isPublic = node.modifiers.contains { ["public", "open"].contains($0.name.text) }
        let lines = missing.map { (isPublic ? "public " : "") + $0.forwarding }
        let brace = node.memberBlock.rightBrace
        switch style {
        case .overlay:
            let line = brace.startLocation(converter: converter).line
            let directive = "#sourceLocation(file: \"\(path)\", line: \(line))"
            edits.append(
                SourceEdit(insert: "\n\(lines.joined(separator: "\n"))\n\(directive)\n", at: brace.trimmedStart))
        case .portable:
            let block = (["#if !canImport(ObjectiveC)"] + lines + ["#endif"]).map { "    \($0)" }
            let isOnOwnLine = brace.leadingTrivia.contains { if case .newlines = $0 { true } else { false } }
            edits.append(
                SourceEdit(
                    insert: (isOnOwnLine ? "\n\n" : "\n") + block.joined(separator: "\n") + (isOnOwnLine ? "" : "\n"),
                    at: brace.position.utf8Offset))
        }
        return .visitChildren
    }

    /// Whether a class calls the extension's member already, as after an earlier run.
    private func declares(_ override: ExtensionOverride, _ node: ClassDeclSyntax) -> Bool {
        node.memberBlock.description.contains(override.forwarding)
    }
}

extension DeclSyntax {
    /// The name of a method, or of the one property that is declared.
    fileprivate var memberName: TokenSyntax? {
        if let method = self.as(FunctionDeclSyntax.self) { return method.name }
        let pattern = self.as(VariableDeclSyntax.self)?.bindings.first?.pattern
        return pattern?.as(IdentifierPatternSyntax.self)?.identifier
    }
}

/// The classes that sources declare at their top level.
final class ClassNames: SyntaxVisitor {
    private var names: Set<String> = []

    static func declared(in tree: SourceFileSyntax) -> Set<String> {
        let reader = ClassNames(viewMode: .sourceAccurate)
        reader.walk(tree)
        return reader.names
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.name.plain)
        return .skipChildren
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
