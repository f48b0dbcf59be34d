import SwiftSyntax

/// Finds casts between Foundation's collections and Swift's that are others on Linux.
///
/// `pets as Set<NSObject>`, where `pets` is declared as an `NSSet`, and the same of arrays and dictionaries, is a cast that may fail
/// there, with `as!`. Classes that mogenerator writes say so in each method for a to-many relationship.
///
/// `owner.mutableSetValue(forKey: "pets") as? Set<Pet>` gives an empty set: Foundation on Linux bridges no subclass of `NSSet`, as a
/// live view of a relationship is. The members are taken one by one; so they are where the source names the set before it casts it.
final class BridgedCasts: SourceRewriter {
    /// The collections of Objective-C, with what casts make of them.
    private static let bridged = ["NSSet": "Set", "NSArray": "Array", "NSDictionary": "Dictionary"]

    /// What gives a set that follows a relationship.
    private static let liveSets = ["mutableSetValue", "primitiveValue"]

    private lazy var collections = Collections.declared(in: tree)
    private lazy var namedSets = NamedSets.bound(in: tree)

    /// The source with casts that Linux' compiler takes.
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        let hasBridged =
            (text.contains(" as Set<") || text.contains(" as [")) && bridged.keys.contains(where: text.contains)
        let hasLive = text.contains(" Set<") && liveSets.contains(where: text.contains)
        guard hasBridged || hasLive else { return text }
        let casts = BridgedCasts(text, style: style, surroundings: surroundings)
        casts.walk(casts.tree)
        return casts.edits.isEmpty ? text : SourceEdit.apply(casts.edits, to: casts.bytes)
    }

    override func visit(_ node: ExprListSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node)
        for index in elements.indices.dropFirst().dropLast() {
            guard let cast = elements[index].as(UnresolvedAsExprSyntax.self),
                let type = elements[index + 1].as(TypeExprSyntax.self)?.type
            else { continue }
            if let mark = cast.questionOrExclamationMark {
                takeMembers(of: elements[index - 1], as: type, cast, mark)
                continue
            }
            guard let operand = elements[index - 1].as(DeclReferenceExprSyntax.self)?.baseName.plain,
                let collection = collections[operand], Self.bridged[collection] == Self.collection(type)
            else { continue }
            edits.append(SourceEdit(insert: "!", at: cast.asKeyword.trimmedEnd))
        }
        return .visitChildren
    }

    private func takeMembers(
        of operand: ExprSyntax, as type: TypeSyntax, _ cast: UnresolvedAsExprSyntax, _ mark: TokenSyntax
    ) {
        guard let name = Self.method(givingSet: operand) ?? namedSets[operand.trimmedDescription],
            let set = type.as(IdentifierTypeSyntax.self), set.name.text == "Set",
            let member = set.genericArgumentClause?.arguments.first?.argument.trimmedDescription
        else { return }
        let isForced = mark.text == "!"
        var (opening, closing) = isForced ? ("Set(", ")") : ("(", ").map(Set.init)")
        var members = ".allObjects"
        if name == "primitiveValue" {
            // It gives any value, or none.
            opening += "("
            members = " as\(mark.text) NSSet)\(isForced ? "" : "?")\(members)"
        }
        closing = "[\(member)]\(closing)"
        edits.append(SourceEdit(insert: opening, at: operand.trimmedStart))
        edits.append(SourceEdit(insert: members, at: operand.trimmedEnd))
        edits.append(SourceEdit(type.trimmedStart..<type.trimmedEnd, closing))
    }

    /// The method among ``liveSets`` that an expression calls.
    private static func method(givingSet expression: ExprSyntax) -> String? {
        guard let call = expression.as(FunctionCallExprSyntax.self), call.arguments.first?.label?.text == "forKey"
        else { return nil }
        let called = call.calledExpression
        let name =
            called.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? called.as(DeclReferenceExprSyntax.self)?.baseName.text
        return name.flatMap { liveSets.contains($0) ? $0 : nil }
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

    /// The names that a source gives to sets which follow a relationship, and to nothing else, with the method that made the set.
    private final class NamedSets: SyntaxVisitor {
        private var methods: [String: Set<String>] = [:]

        static func bound(in tree: SourceFileSyntax) -> [String: String] {
            let reader = NamedSets(viewMode: .sourceAccurate)
            reader.walk(tree)
            return reader.methods.compactMapValues { $0.count == 1 ? $0.first : nil }.filter { !$0.value.isEmpty }
        }

        override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
            add(node.secondName ?? node.firstName, nil)
            return .visitChildren
        }

        override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
            add(node.name, nil)
            return .visitChildren
        }

        override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
            add(node.pattern, node.typeAnnotation == nil ? node.initializer?.value : nil)
            return .visitChildren
        }

        override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
            // `if let set` goes on with what the name stands for.
            if node.initializer != nil { add(node.pattern, node.initializer?.value) }
            return .visitChildren
        }

        private func add(_ pattern: PatternSyntax, _ value: ExprSyntax?) {
            if let name = pattern.as(IdentifierPatternSyntax.self)?.identifier { add(name, value) }
        }

        private func add(_ name: TokenSyntax, _ value: ExprSyntax?) {
            methods[name.plain, default: []].insert(value.flatMap(BridgedCasts.method(givingSet:)) ?? "")
        }
    }
}
