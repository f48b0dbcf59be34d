import SwiftSyntax

extension SourcePorter {
    /// Writes `let pets: NSMutableSet = [pet]` with a call: CoreData makes sets of literals on Linux, and the compiler fails at
    /// those of subclasses.
    func portLiteralOfSet(_ node: PatternBindingSyntax) {
        guard let type = node.typeAnnotation?.type.trimmedDescription, ["NSMutableSet", "NSCountedSet"].contains(type),
            let literal = node.initializer?.value.as(ArrayExprSyntax.self)
        else { return }
        edits.append(SourceEdit(insert: "\(type)(array: ", at: literal.trimmedStart))
        edits.append(SourceEdit(insert: ")", at: literal.trimmedEnd))
    }
}
