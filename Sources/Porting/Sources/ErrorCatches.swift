import SwiftSyntax

/// Finds `catch let error as NSError`, which on Linux doesn't catch an error of Swift's own: compilers take the cast for one that can't
/// fail, and where it fails the program goes on anywhere (seen with Swift 6.3; swiftlang/swift, issue 65106). The clause catches
/// all, and the cast is made after it.
final class ErrorCatches: SourceRewriter {
    static func rewrite(in text: String, style: PortingStyle, surroundings: PortingSurroundings) -> String {
        guard text.contains("catch"), text.contains("as NSError") else { return text }
        let catches = ErrorCatches(text, style: style, surroundings: surroundings)
        catches.walk(catches.tree)
        return catches.edits.isEmpty ? text : SourceEdit.apply(catches.edits, to: catches.bytes)
    }

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind {
        guard node.catchItems.count == 1, let item = node.catchItems.first,
            let binding = item.pattern?.as(ValueBindingPatternSyntax.self),
            let cast = binding.pattern.as(ExpressionPatternSyntax.self)?.expression.as(SequenceExprSyntax.self)?
                .elements,
            let name = name(of: cast)
        else { return .visitChildren }
        let binder = binding.bindingSpecifier.text
        let first = cast[cast.startIndex]
        edits.append(SourceEdit(first.trimmedEnd..<cast.trimmedEnd, ""))
        if binder == "var" {
            edits.append(SourceEdit(binding.bindingSpecifier.trimmedStart..<binding.bindingSpecifier.trimmedEnd, "let"))
        }
        if let condition = item.whereClause?.condition {
            edits.append(SourceEdit(insert: "({ (\(name): NSError) -> Bool in ", at: condition.trimmedStart))
            edits.append(SourceEdit(insert: " })(\(name) as NSError)", at: condition.trimmedEnd))
        }
        let statement = "\(binder) \(name) = \(name) as NSError"
        if style == .portable, let first = node.body.statements.first {
            let indent = String(decoding: beginningOfLine(before: first.trimmedStart), as: UTF8.self)
            let isOnItsLine = indent.allSatisfy { $0 == " " || $0 == "\t" }
            edits.append(SourceEdit(insert: statement + (isOnItsLine ? "\n\(indent)" : "; "), at: first.trimmedStart))
        } else {
            edits.append(SourceEdit(insert: " \(statement);", at: node.body.leftBrace.trimmedEnd))
        }
        return .visitChildren
    }

    /// The name in `name as NSError`.
    private func name(of cast: ExprListSyntax) -> String? {
        let elements = Array(cast)
        guard elements.count == 3, let operation = elements[1].as(UnresolvedAsExprSyntax.self),
            operation.questionOrExclamationMark == nil,
            elements[2].as(TypeExprSyntax.self)?.type.trimmedDescription == "NSError"
        else { return nil }
        if let pattern = elements[0].as(PatternExprSyntax.self)?.pattern.as(IdentifierPatternSyntax.self) {
            return pattern.identifier.text
        }
        return elements[0].as(DeclReferenceExprSyntax.self)?.baseName.text
    }
}
