import SwiftParser
import SwiftSyntax

/// Makes the methods that are optional in Objective-C's protocols required ones, with a default that does nothing. Those with a
/// result that can't be nil stay, and are remarked on.
///
/// For people, the declaration is there twice then, under a condition: one that Apple's platforms compile as it was.
final class OptionalRequirements: SourceRewriter {
    /// The defaults by protocol, in order.
    private var defaults: [(name: String, methods: [String])] = []

    /// The source with these protocols.
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        guard text.contains("optional"), text.contains("protocol") else { return text }
        let requirements = OptionalRequirements(text, style: style, surroundings: surroundings)
        requirements.walk(requirements.tree)
        return requirements.result(unchanged: text)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let mark = node.optionalMark, let result = node.defaultResult, let owner = node.owningProtocol,
            let name = owner.qualifiedName
        else { return .skipChildren }
        let required =
            text(node.modifiers.trimmedStart..<mark.trimmedStart) + text(mark.endPosition.utf8Offset..<node.trimmedEnd)
        switch style {
        case .overlay:
            let range = mark.trimmedStart..<mark.trimmedEnd
            edits.append(SourceEdit(range, String(repeating: " ", count: range.count)))
        case .portable: divide(node.trimmedStart..<node.trimmedEnd, onLinux: required)
        }
        let method = "\(owner.accessOfMembers)\(required) {\(result)}"
        if let place = defaults.firstIndex(where: { $0.name == name }) {
            defaults[place].methods.append(method)
        } else {
            defaults.append((name, [method]))
        }
        return .skipChildren
    }

    private func result(unchanged text: String) -> String {
        guard !edits.isEmpty else { return text }
        var lines: [String] = []
        for (name, methods) in defaults {
            lines += ["extension \(name) {"] + methods.map { "    \($0)" } + ["}"]
        }
        if style == .portable { lines = ["", "#if !canImport(ObjectiveC)"] + lines + ["#endif"] }
        let separator = bytes.last == UInt8(ascii: "\n") ? "" : "\n"
        edits.append(SourceEdit(insert: separator + lines.joined(separator: "\n") + "\n", at: bytes.count))
        return SourceEdit.apply(edits, to: bytes)
    }
}

extension FunctionDeclSyntax {
    /// The word `optional`, where there is one.
    fileprivate var optionalMark: DeclModifierSyntax? {
        modifiers.first { $0.name.tokenKind == .keyword(.optional) }
    }

    /// What a method has between its braces that does nothing; nil where it has a result that can't be nil.
    fileprivate var defaultResult: String? {
        guard let type = signature.returnClause?.type else { return "" }
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType, .implicitlyUnwrappedOptionalType: return " nil "
        case .identifierType(let name) where name.name.text == "Void": return ""
        case .tupleType(let tuple) where tuple.elements.isEmpty: return ""
        default: return nil
        }
    }

    /// Whether the method is optional in its protocol, and has a default on Linux.
    var isOptionalRequirement: Bool {
        optionalMark != nil && defaultResult != nil && owningProtocol?.qualifiedName != nil
    }

    private var owner: Syntax? {
        var current = parent
        while let node = current, !node.is(ProtocolDeclSyntax.self), !node.is(ClassDeclSyntax.self) {
            current = node.parent
        }
        return current
    }

    fileprivate var owningProtocol: ProtocolDeclSyntax? { owner?.as(ProtocolDeclSyntax.self) }
}

extension ProtocolDeclSyntax {
    /// The access that members of an extension need to be defaults, and a blank.
    fileprivate var accessOfMembers: String {
        let access = modifiers.first { ["public", "package"].contains($0.name.text) }
        return access.map { "\($0.name.text) " } ?? ""
    }
}
