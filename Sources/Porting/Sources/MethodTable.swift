import SwiftSyntax

/// The methods that a source declares, by name, with the labels of their parameters.
final class MethodTable: SyntaxVisitor {
    private var labels: [String: [String?]] = [:]

    init(_ tree: SourceFileSyntax) {
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    /// The labels of a method, nil for "_". Nil where the source declares none of that name.
    func labels(of name: String) -> [String?]? { labels[name] }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        labels[node.name.plain] = node.signature.parameterClause.parameters.map {
            $0.firstName.tokenKind == .wildcard ? nil : $0.firstName.plain
        }
        return .visitChildren
    }
}
