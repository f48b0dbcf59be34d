import SwiftParser
import SwiftSyntax

/// Finds a source that is all under `#if canImport(UIKit)`, or another framework that Linux lacks, and says nothing that
/// belongs to it; and writes a condition that holds on Linux too.
enum NeedlessCondition {
    /// The source with the other condition.
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        guard text.contains("#if canImport(") else { return text }
        let tree = Parser.parse(source: text)
        guard tree.statements.count == 1, let item = tree.statements.first?.item.as(IfConfigDeclSyntax.self),
            item.clauses.count == 1, let clause = item.clauses.first, let condition = clause.condition,
            case .statements(let statements)? = clause.elements, let module = module(in: condition),
            surroundings.isMissing(module), AppleFramework.isKnown(module),
            !AppleFramework.isUsed(module, by: identifiers(in: statements)),
            !statements.contains(where: { imports(module, $0) })
        else { return text }
        let range = condition.trimmedStart..<condition.trimmedEnd
        let replacement =
            switch style {
            case .overlay: "true"
            case .portable: "\(condition.trimmedDescription) || os(Linux)"
            }
        return SourceEdit.apply([SourceEdit(range, replacement)], to: Array(text.utf8))
    }

    /// The module of `canImport(Module)`, where the condition is nothing else.
    private static func module(in condition: ExprSyntax) -> String? {
        let tokens = condition.tokens(viewMode: .sourceAccurate).map(\.text)
        return tokens.count == 4 && tokens[0] == "canImport" ? tokens[2] : nil
    }

    private static func identifiers(in statements: CodeBlockItemListSyntax) -> Set<String> {
        Set(statements.tokens(viewMode: .sourceAccurate).filter { $0.tokenKind.isIdentifier }.map(\.text))
    }

    private static func imports(_ module: String, _ item: CodeBlockItemSyntax) -> Bool {
        item.item.as(ImportDeclSyntax.self)?.module == module
    }
}

extension TokenKind {
    fileprivate var isIdentifier: Bool {
        if case .identifier = self { true } else { false }
    }
}
