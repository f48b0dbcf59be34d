import SwiftParser
import SwiftSyntax

/// Looks in a source for members with `@objc` that extensions add, such as what names a section of results. Key-value coding finds those
/// of managed objects by name on Apple's platforms, and here where the plugin registers them.
final class ObjectiveCExtensions: SyntaxVisitor {
    private var areFound = false

    static func areDeclared(in text: String) -> Bool {
        guard text.contains("extension "), text.contains("@objc") else { return false }
        let visitor = ObjectiveCExtensions(viewMode: .sourceAccurate)
        visitor.walk(Parser.parse(source: text))
        return visitor.areFound
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let isWhole = node.attributes.contains { $0.as(AttributeSyntax.self)?.name == "objc" }
        let members = node.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
        areFound =
            areFound
            || members.contains { member in
                isWhole || member.attributes.contains { $0.as(AttributeSyntax.self)?.name == "objc" }
            }
        return .skipChildren
    }
}
