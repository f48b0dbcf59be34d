import SwiftSyntax

/// Finds `pets as Set<NSObject>` where `pets` is declared as an `NSSet`, and the same of arrays and dictionaries: on Linux such a cast
/// is one that may fail, with `as!`.
///
/// Classes that mogenerator writes say so in each method for a to-many relationship.
final class BridgedCasts: SourceRewriter {
    /// The collections of Objective-C, with what casts make of them.
    private static let bridged = ["NSSet": "Set", "NSArray": "Array", "NSDictionary": "Dictionary"]

    private lazy var collections = Collections.declared(in: tree)

    /// The source with casts that Linux' compiler takes.
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        guard text.contains(" as Set<") || text.contains(" as ["), bridged.keys.contains(where: text.contains) else {
            return text
        }
        let casts = BridgedCasts(text, style: style, surroundings: surroundings)
        casts.walk(casts.tree)
        return casts.edits.isEmpty ? text : SourceEdit.apply(casts.edits, to: casts.bytes)
    }

    override func visit(_ node: ExprListSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node)
        for index in elements.indices.dropFirst().dropLast() {
            guard let cast = elements[index].as(UnresolvedAsExprSyntax.self), cast.questionOrExclamationMark == nil,
                let type = elements[index + 1].as(TypeExprSyntax.self)?.type,
                let operand = elements[index - 1].as(DeclReferenceExprSyntax.self)?.baseName.plain,
                let collection = collections[operand], Self.bridged[collection] == Self.collection(type)
            else { continue }
            edits.append(SourceEdit(insert: "!", at: cast.asKeyword.trimmedEnd))
        }
        return .visitChildren
    }

    private static func collection(_ type: TypeSyntax) -> String? {
        if type.is(ArrayTypeSyntax.self) { return "Array" }
        if type.is(DictionaryTypeSyntax.self) { return "Dictionary" }
        return type.as(IdentifierTypeSyntax.self)?.name.text
    }

    /// The names that a source declares as collections of Objective-C, and as nothing else.
    private final class Collections: SyntaxVisitor {
        private var types: [String: Set<String>] = [:]

        static func declared(in tree: SourceFileSyntax) -> [String: String] {
            let reader = Collections(viewMode: .sourceAccurate)
            reader.walk(tree)
            return reader.types.compactMapValues { $0.count == 1 ? $0.first : nil }
        }

        override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
            add(node.secondName ?? node.firstName, node.type)
            return .visitChildren
        }

        override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
            if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier,
                let type = node.typeAnnotation?.type
            {
                add(name, type)
            }
            return .visitChildren
        }

        private func add(_ name: TokenSyntax, _ type: TypeSyntax) {
            types[name.plain, default: []].insert(type.trimmedDescription)
        }
    }
}
