import SwiftSyntax

/// Finds patterns that take an error for an `NSError`, which on Linux an error of Swift's own isn't. Compilers take the cast for one that
/// can't fail, and where it fails the program goes on anywhere, or stops (seen with Swift 6.3; swiftlang/swift, issue 65106). The
/// pattern takes all, and the cast is made after it: `catch let error as NSError`, `case .failure(let error as NSError)` in a switch or a
/// condition, and `case let error as NSError` of an error. In a clause without a pattern `error as? NSError` becomes
/// `error as NSError?`.
final class ErrorCatches: SourceRewriter {
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        guard text.contains("as NSError") || text.contains("as? NSError") else { return text }
        let catches = ErrorCatches(text, style: style, surroundings: surroundings)
        catches.walk(catches.tree)
        return catches.edits.isEmpty ? text : SourceEdit.apply(catches.edits, to: catches.bytes)
    }

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind {
        if node.catchItems.isEmpty {
            ConditionalCasts(of: "error", collectingInto: self).walk(node.body)
        } else if node.catchItems.count == 1, let item = node.catchItems.first,
            let binding = Self.withoutParentheses(item.pattern), let cast = Cast(binding)
        {
            rewrite(binding, cast)
            if let condition = item.whereClause?.condition {
                edits.append(SourceEdit(insert: "({ (\(cast.name): NSError) -> Bool in ", at: condition.trimmedStart))
                edits.append(SourceEdit(insert: " })(\(cast.name) as NSError)", at: condition.trimmedEnd))
            }
            declare(cast, before: node.body.statements, after: node.body.leftBrace.trimmedEnd)
        }
        return .visitChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        let isOverError = node.subject.trimmedDescription.lowercased().hasSuffix("error")
        for case .switchCase(let branch) in node.cases {
            guard let label = branch.label.as(SwitchCaseLabelSyntax.self), label.caseItems.count == 1,
                let item = label.caseItems.first, item.whereClause == nil,
                let (binding, cast) = isOverError ? Self.error(in: item.pattern) : Self.failure(in: item.pattern)
            else { continue }
            rewrite(binding, cast)
            declare(cast, before: branch.statements, after: label.colon.trimmedEnd)
        }
        return .visitChildren
    }

    override func visit(_ node: MatchingPatternConditionSyntax) -> SyntaxVisitorContinueKind {
        let value = node.initializer.value
        if let (_, cast) = Self.failure(in: node.pattern) {
            // A name can't be bound twice in the conditions of a `guard`.
            let thrown = "\(cast.name)AsThrown"
            edits.append(SourceEdit(cast.nameRange, thrown))
            edits.append(SourceEdit(cast.removed, ""))
            edits.append(
                SourceEdit(insert: ", case \(cast.binder) \(cast.name) = \(thrown) as NSError", at: value.trimmedEnd))
        } else if value.trimmedDescription.lowercased().hasSuffix("error"),
            let (_, cast) = Self.error(in: node.pattern)
        {
            edits.append(SourceEdit(cast.removed, ""))
            edits.append(SourceEdit(insert: " as NSError", at: value.trimmedEnd))
        }
        return .visitChildren
    }

    /// What `let error as NSError` and `(let error as NSError)` bind.
    private static func withoutParentheses(_ pattern: PatternSyntax?) -> ValueBindingPatternSyntax? {
        if let tuple = pattern?.as(TuplePatternSyntax.self), tuple.elements.count == 1 {
            return withoutParentheses(tuple.elements.first?.pattern)
        }
        if let tuple = pattern?.as(ExpressionPatternSyntax.self)?.expression.as(TupleExprSyntax.self),
            tuple.elements.count == 1
        {
            return withoutParentheses(tuple.elements.first?.expression.as(PatternExprSyntax.self)?.pattern)
        }
        return pattern?.as(ValueBindingPatternSyntax.self)
    }

    /// What `let error as NSError` binds.
    private static func error(in pattern: PatternSyntax) -> (ValueBindingPatternSyntax, Cast)? {
        guard let binding = pattern.as(ValueBindingPatternSyntax.self), let cast = Cast(binding) else { return nil }
        return (binding, cast)
    }

    /// What `.failure(let error as NSError)` and `let .failure(error as NSError)` bind.
    private static func failure(in pattern: PatternSyntax) -> (ValueBindingPatternSyntax, Cast)? {
        let outer = pattern.as(ValueBindingPatternSyntax.self)
        guard
            let call = (outer?.pattern ?? pattern).as(ExpressionPatternSyntax.self)?.expression
                .as(FunctionCallExprSyntax.self),
            call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "failure",
            call.arguments.count == 1, let argument = call.arguments.first?.expression
        else { return nil }
        if let outer { return Cast(argument, boundBy: outer).map { (outer, $0) } }
        return argument.as(PatternExprSyntax.self).flatMap { error(in: $0.pattern) }
    }

    private func rewrite(_ binding: ValueBindingPatternSyntax, _ cast: Cast) {
        edits.append(SourceEdit(cast.removed, ""))
        let binder = binding.bindingSpecifier
        if cast.binder == "var" { edits.append(SourceEdit(binder.trimmedStart..<binder.trimmedEnd, "let")) }
    }

    /// Has the name stand for an `NSError` in statements, which may declare it anew themselves.
    private func declare(_ cast: Cast, before statements: CodeBlockItemListSyntax, after offset: Int) {
        let statement = "\(cast.binder) \(cast.name) = \(cast.name) as NSError"
        guard let first = statements.first, let last = statements.last else {
            edits.append(SourceEdit(insert: " \(statement);", at: offset))
            return
        }
        let isDeclaredAnew = statements.contains { $0.binds(cast.name) }
        let opening = isDeclaredAnew ? "do { " : ""
        if style == .portable {
            let indent = String(decoding: beginningOfLine(before: first.trimmedStart), as: UTF8.self)
            let isOnItsLine = indent.allSatisfy { $0 == " " || $0 == "\t" }
            edits.append(
                SourceEdit(insert: statement + (isOnItsLine ? "\n\(indent)" : "; ") + opening, at: first.trimmedStart))
        } else {
            edits.append(SourceEdit(insert: " \(statement);\(isDeclaredAnew ? " do {" : "")", at: offset))
        }
        if isDeclaredAnew { edits.append(SourceEdit(insert: " }", at: last.trimmedEnd)) }
    }

    /// `name as NSError` in a pattern that binds the name.
    private struct Cast {
        let binder: String
        let name: String
        let nameRange: Range<Int>
        /// All but the name.
        let removed: Range<Int>

        init?(_ binding: ValueBindingPatternSyntax) {
            guard let expression = binding.pattern.as(ExpressionPatternSyntax.self)?.expression else { return nil }
            self.init(expression, boundBy: binding)
        }

        init?(_ expression: ExprSyntax, boundBy binding: ValueBindingPatternSyntax) {
            guard let elements = expression.as(SequenceExprSyntax.self)?.elements.map({ $0 }), elements.count == 3,
                let operation = elements[1].as(UnresolvedAsExprSyntax.self), operation.questionOrExclamationMark == nil,
                elements[2].as(TypeExprSyntax.self)?.type.trimmedDescription == "NSError"
            else { return nil }
            let pattern = elements[0].as(PatternExprSyntax.self)?.pattern.as(IdentifierPatternSyntax.self)
            guard let name = pattern?.identifier ?? elements[0].as(DeclReferenceExprSyntax.self)?.baseName else {
                return nil
            }
            (self.name, binder) = (name.text, binding.bindingSpecifier.text)
            nameRange = elements[0].trimmedStart..<elements[0].trimmedEnd
            removed = elements[0].trimmedEnd..<elements[2].trimmedEnd
        }
    }
}

extension CodeBlockItemSyntax {
    /// Whether the statement declares a name for those after it.
    fileprivate func binds(_ name: String) -> Bool {
        if let declared = item.as(VariableDeclSyntax.self) {
            return declared.bindings.contains { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name }
        }
        guard let statement = item.as(GuardStmtSyntax.self) else { return false }
        return statement.conditions.contains {
            $0.condition.as(OptionalBindingConditionSyntax.self)?.pattern.trimmedDescription == name
        }
    }
}

/// Finds `error as? NSError` where the name stands for any error.
private final class ConditionalCasts: SyntaxVisitor {
    private let name: String
    private let catches: ErrorCatches

    init(of name: String, collectingInto catches: ErrorCatches) {
        (self.name, self.catches) = (name, catches)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: ExprListSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node)
        for index in elements.indices.dropFirst().dropLast() {
            guard let cast = elements[index].as(UnresolvedAsExprSyntax.self),
                let mark = cast.questionOrExclamationMark, mark.tokenKind == .postfixQuestionMark,
                elements[index - 1].as(DeclReferenceExprSyntax.self)?.baseName.text == name,
                let type = elements[index + 1].as(TypeExprSyntax.self)?.type, type.trimmedDescription == "NSError"
            else { continue }
            catches.edits.append(SourceEdit(mark.trimmedStart..<mark.trimmedEnd, ""))
            catches.edits.append(SourceEdit(insert: "?", at: type.trimmedEnd))
        }
        return .visitChildren
    }
}
