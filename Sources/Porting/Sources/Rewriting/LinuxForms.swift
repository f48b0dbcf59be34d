import SwiftParser
import SwiftSyntax

/// Finds `request as! NSFetchRequest<Person>`, the same of results controllers, and the same with `as?`, which can't succeed
/// on Linux, `Bundle(for: Stack.self)`, which gives the main bundle there, `Bundle.allBundles`, which is empty, `expectation(for: predicate, evaluatedWith: x)`,
/// which XCTest has for Foundation's predicates only, `Bundle.main.bundleIdentifier`, which is nil there, folders searched by
/// `.libraryDirectory`, of which there are none, and
/// `delegate?.controller?(…)`, as a results controller's delegate has all methods there, as have the protocols of
/// ``OptionalRequirements``; and writes what can.
///
/// For people, the statement is there twice then, under a condition: one that Apple's platforms compile as it was.
final class LinuxForms: SourceRewriter {
    /// The generic classes of Core Data that are cast, with the method that stands for `as?`.
    static let conditionalCasts = [
        "NSFetchRequest": "castIfRequest", "NSFetchedResultsController": "castIfController",
        "NSAsynchronousFetchResult": "castIfResult",
    ]

    /// The methods of results controllers' delegates, which are optional on Apple's platforms.
    private static let delegateMethods = ["controller", "controllerWillChangeContent", "controllerDidChangeContent"]

    /// The casts of each statement, by where it begins.
    private var statements: [Int: (range: Range<Int>, edits: [SourceEdit])] = [:]

    /// The source with other casts.
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        let isConcerned =
            [
                "?(", "#selector(", ".bundleIdentifier", "Bundle(for:", "Bundle.allBundles", ".libraryDirectory",
                "evaluatedWith:", "XCTNSPredicateExpectation(",
            ].contains { text.contains($0) }
            || conditionalCasts.keys.contains { text.contains("as! \($0)<") || text.contains("as? \($0)<") }
        guard isConcerned else { return text }
        let forms = LinuxForms(text, style: style, surroundings: surroundings)
        forms.walk(forms.tree)
        return forms.result(unchanged: text)
    }

    override func visit(_ node: ExprListSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node)
        for index in elements.indices.dropFirst().dropLast() {
            guard let cast = elements[index].as(UnresolvedAsExprSyntax.self),
                let mark = cast.questionOrExclamationMark?.tokenKind,
                let type = elements[index + 1].as(TypeExprSyntax.self)?.type.as(IdentifierTypeSyntax.self),
                let conditional = Self.conditionalCasts[type.name.text], type.genericArgumentClause != nil
            else { continue }
            // An operand may begin with `try`, which the call has to leave in front.
            var operand = elements[index - 1]
            while let inner = operand.as(TryExprSyntax.self)?.expression { operand = inner }
            let removed = operand.trimmedEnd..<elements[index + 1].trimmedEnd
            let lines = bytes[removed].count { $0 == UInt8(ascii: "\n") }
            let method = mark == .postfixQuestionMark ? conditional : "cast"
            add(
                [
                    SourceEdit(insert: "\(type.trimmedDescription).\(method)(", at: operand.trimmedStart),
                    SourceEdit(removed, ")" + String(repeating: "\n", count: style == .overlay ? lines : 0)),
                ], in: node)
        }
        return .visitChildren
    }

    /// Whether bundles are an argument of `mergedModel(from:)` and its like, which look everywhere as it is.
    private static func looksForModels(_ bundles: MemberAccessExprSyntax) -> Bool {
        guard let argument = bundles.parent?.as(LabeledExprSyntax.self), argument.label?.text == "from",
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        else { return false }
        let called = call.calledExpression.trimmedDescription
        return called.hasSuffix("mergedModel") || called.hasSuffix("NSMappingModel")
            || called.hasSuffix("NSMappingModel.init")
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.declName
        if node.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == "Bundle", name.baseName.text == "allBundles",
            !Self.looksForModels(node)
        {
            add([SourceEdit(name.trimmedStart..<name.trimmedEnd, "bundlesOfProgram")], in: node)
        }
        if name.baseName.text == "libraryDirectory", node.isSearchPath {
            add([SourceEdit(name.trimmedStart..<name.trimmedEnd, "libraryOfUser")], in: node)
        }
        if name.baseName.text == "bundleIdentifier", let base = node.base, isBundle(base) {
            add([SourceEdit(name.trimmedStart..<name.trimmedEnd, "identifierOfProgram")], in: node)
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "Bundle",
            node.arguments.count == 1, let label = node.arguments.first?.label, label.text == "for"
        {
            add([SourceEdit(label.trimmedStart..<label.trimmedEnd, "forTargetOf")], in: node)
        }
        if let predicate = node.expectedPredicate, !predicate.trimmedDescription.hasSuffix(".foundationPredicate") {
            let isPlain = predicate.is(DeclReferenceExprSyntax.self) || predicate.is(FunctionCallExprSyntax.self)
            let before = isPlain ? [] : [SourceEdit(insert: "(", at: predicate.trimmedStart)]
            let after = (isPlain ? "" : ")") + ".foundationPredicate"
            add(before + [SourceEdit(insert: after, at: predicate.trimmedEnd)], in: node)
        }
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        if let selector = StoredSelector(node, declarations) {
            add([SourceEdit(node.trimmedStart..<node.trimmedEnd, selector.text)], in: node)
        }
        return .visitChildren
    }

    override func visit(_ node: OptionalChainingExprSyntax) -> SyntaxVisitorContinueKind {
        if let call = node.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == node.id,
            let member = node.expression.as(MemberAccessExprSyntax.self),
            isResultsDelegateCall(call, of: member.declName.baseName.text)
                || isCallOfOptionalMethod(call, member.declName.baseName.plain)
        {
            let mark = node.questionMark
            add([SourceEdit(mark.trimmedStart..<mark.trimmedEnd, "")], in: node)
        }
        return .visitChildren
    }

    /// Whether a call has the labels of a method of `NSFetchedResultsControllerDelegate`.
    private func isResultsDelegateCall(_ call: FunctionCallExprSyntax, of method: String) -> Bool {
        guard Self.delegateMethods.contains(method) else { return false }
        let labels = call.arguments.map { $0.label?.text ?? "_" }.joined(separator: ":")
        return [
            "_", "_:didChange:at:for:newIndexPath", "_:didChange:atSectionIndex:for",
            "_:sectionIndexTitleForSectionName",
            "_:didChangeContentWith",
        ].contains(labels)
    }

    private func isCallOfOptionalMethod(_ call: FunctionCallExprSyntax, _ name: String) -> Bool {
        let labels = call.arguments.map { $0.label?.plain }
        let optionalMethods = declarations.optionalMethods
        guard call.trailingClosure != nil else {
            return optionalMethods.contains(DeclarationTable.signature(name, labels))
        }
        return optionalMethods.contains { $0.hasPrefix("\(name)(") }
    }

    /// Whether an expression is `Bundle.main` or the bundle of a class.
    private func isBundle(_ expression: ExprSyntax) -> Bool {
        func isNamedBundle(_ expression: ExprSyntax?) -> Bool {
            expression?.as(DeclReferenceExprSyntax.self)?.baseName.text == "Bundle"
        }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            return isNamedBundle(call.calledExpression)
                && ["for", "forTargetOf"].contains(call.arguments.first?.label?.text)
        }
        let member = expression.as(MemberAccessExprSyntax.self)
        return isNamedBundle(member?.base) && member?.declName.baseName.text == "main"
    }

    private func add(_ edits: [SourceEdit], in node: some SyntaxProtocol) {
        guard style == .portable else {
            self.edits += edits
            return
        }
        var statement = node.parent
        while let current = statement, !current.is(CodeBlockItemSyntax.self), !current.is(MemberBlockItemSyntax.self) {
            statement = current.parent
        }
        guard let statement, isDivisible(statement) else { return }
        let range = statement.trimmedStart..<statement.trimmedEnd
        statements[range.lowerBound, default: (range, [])].edits += edits
    }

    /// Whether a statement may be there twice: it isn't the declaration of a type or function.
    private func isDivisible(_ statement: Syntax) -> Bool {
        if let member = statement.as(MemberBlockItemSyntax.self) { return member.decl.is(VariableDeclSyntax.self) }
        guard let item = statement.as(CodeBlockItemSyntax.self)?.item else { return false }
        return item.is(VariableDeclSyntax.self) || !item.is(DeclSyntax.self)
    }

    private func result(unchanged text: String) -> String {
        for (range, casts) in statements.values {
            let before = beginningOfLine(before: range.lowerBound)
            let after = bytes[range.upperBound...].prefix { $0 != UInt8(ascii: "\n") }
            // A statement among others on its line can't be divided.
            guard before.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }),
                after.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") })
            else { continue }
            let own = casts.map {
                SourceEdit(
                    ($0.range.lowerBound - range.lowerBound)..<($0.range.upperBound - range.lowerBound), $0.replacement)
            }
            divide(range, onLinux: SourceEdit.apply(own, to: Array(bytes[range])))
        }
        return edits.isEmpty ? text : SourceEdit.apply(edits, to: bytes)
    }
}

extension MemberAccessExprSyntax {
    /// Whether the expression says which folders a call is to look for.
    fileprivate var isSearchPath: Bool {
        guard let argument = parent?.as(LabeledExprSyntax.self),
            let called = argument.parent?.parent?.as(FunctionCallExprSyntax.self)?.calledExpression
        else { return false }
        if let function = called.as(DeclReferenceExprSyntax.self) {
            return function.baseName.text == "NSSearchPathForDirectoriesInDomains"
        }
        let method = called.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        return argument.label?.text == "for" && (method == "urls" || method == "url")
    }
}

extension FunctionCallExprSyntax {
    /// The predicate that the call has XCTest wait for; nil where it is none of these calls.
    fileprivate var expectedPredicate: ExprSyntax? {
        let name =
            calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
            ?? calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        let labels = arguments.prefix(2).map { $0.label?.text }
        guard
            name == "expectation" && labels == ["for", "evaluatedWith"]
                || name == "XCTNSPredicateExpectation" && labels.first == "predicate"
        else { return nil }
        return arguments.first?.expression
    }
}
