import SwiftParser
import SwiftSyntax

/// Finds overrides of the methods of key-value observing that every object has on Apple's platforms, and that on Linux are those
/// of protocols which a class adopts: takes `override` away, and adopts the protocol.
///
/// For people, the method is there twice then, under a condition, and the protocol is adopted by an extension. Managed objects
/// have these methods to override on Linux, too.
final class ObserverOverrides: SourceRewriter {
    /// The methods, with the protocol that has them.
    static let protocols = [
        "observeValue": "KeyValueObserver", "keyPathsForValuesAffectingValue": "KeyValueDependencies",
        "automaticallyNotifiesObservers": "KeyValueDependencies",
    ]

    /// The source with the methods as the protocols have them.
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        guard text.contains("override"), protocols.keys.contains(where: text.contains) else { return text }
        let overrides = ObserverOverrides(text, style: style, surroundings: surroundings)
        overrides.walk(overrides.tree)
        return overrides.edits.isEmpty ? text : SourceEdit.apply(overrides.edits, to: overrides.bytes)
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        let adopted = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        var missing: [String] = []
        for case let method? in node.memberBlock.members.map({ $0.decl.as(FunctionDeclSyntax.self) }) {
            guard let name = Self.protocols[method.name.text], let modifier = method.overriding,
                !declarations.inheritsObserving(node.name.plain, method.name.text)
            else { continue }
            let isMissing = !adopted.contains(name) && !missing.contains(name)
            if style == .portable, isMissing, node.qualifiedName == nil { continue }
            if isMissing { missing.append(name) }
            remove(modifier, from: method)
        }
        adopt(missing, in: node)
        return .visitChildren
    }

    private func remove(_ modifier: DeclModifierSyntax, from method: FunctionDeclSyntax) {
        let removed = modifier.trimmedStart..<modifier.endPosition.utf8Offset
        guard style == .portable else { return edits.append(SourceEdit(removed, "")) }
        let range = method.trimmedStart..<method.trimmedEnd
        divide(
            range,
            onLinux: text(range.lowerBound..<removed.lowerBound) + text(removed.upperBound..<range.upperBound))
    }

    private func adopt(_ protocols: [String], in node: ClassDeclSyntax) {
        guard !protocols.isEmpty else { return }
        switch style {
        case .overlay:
            guard let last = node.inheritanceClause?.inheritedTypes.last else { return }
            edits.append(SourceEdit(insert: protocols.map { ", \($0)" }.joined(), at: last.type.trimmedEnd))
        case .portable:
            guard let name = node.qualifiedName, let item = node.outermostItem else { return }
            let extensions = protocols.map { "extension \(name): \($0) {}" }
            let lines = ["#if !canImport(ObjectiveC)"] + extensions + ["#endif"]
            edits.append(SourceEdit(insert: "\n" + lines.joined(separator: "\n"), at: item.trimmedEnd))
        }
    }
}

extension FunctionDeclSyntax {
    /// The modifier that says that the method overrides another one.
    var overriding: DeclModifierSyntax? { modifiers.first { $0.name.tokenKind == .keyword(.override) } }
}

extension NamedDeclSyntax where Self: WithModifiersSyntax {
    /// The name by which an extension at the file's top finds the type; nil where none can.
    var qualifiedName: String? {
        var names = [name.text]
        var node = parent
        while let current = node {
            if current.is(FunctionDeclSyntax.self) || current.is(ClosureExprSyntax.self)
                || current.is(AccessorBlockSyntax.self) || current.is(InitializerDeclSyntax.self)
            {
                return nil
            }
            if let type = current.asProtocol((any NamedDeclSyntax).self) {
                names.insert(type.name.text, at: 0)
            } else if let type = current.as(ExtensionDeclSyntax.self) {
                names.insert(type.extendedType.trimmedDescription, at: 0)
            }
            node = current.parent
        }
        // A private type inside of another can't be named outside of that.
        let isPrivate = modifiers.contains { $0.name.tokenKind == .keyword(.private) }
        return isPrivate && names.count > 1 ? nil : names.joined(separator: ".")
    }
}

extension ClassDeclSyntax {
    /// What the class is in at the file's top level, or in a condition there.
    fileprivate var outermostItem: Syntax? {
        var item: Syntax?
        var node: Syntax? = Syntax(self)
        while let current = node {
            if current.is(CodeBlockItemSyntax.self) { item = current }
            if current.is(IfConfigDeclSyntax.self), item != nil { break }
            node = current.parent
        }
        return item
    }
}
