import SwiftSyntax

extension SourcePorter {
    private static let advice = "literals don't make Foundation's collections on Linux: "

    /// Writes `person.addToPets([pet])` with a set, where sources declare what the relationship is.
    func portLiteralOfSet(_ node: FunctionCallExprSyntax) {
        guard node.arguments.count == 1, let argument = node.arguments.first, argument.label == nil,
            argument.expression.is(ArrayExprSyntax.self),
            let name = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.plain
                ?? node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.plain,
            let relationship = Self.relationship(ofMethod: name)
        else { return }
        guard let collection = collection(named: relationship) else {
            return remark(
                Self.advice + "write NSSet(array: […]) here, or NSOrderedSet(array: […]) for an ordered relationship",
                at: argument)
        }
        edits.append(SourceEdit(insert: "\(collection)(array: ", at: argument.expression.trimmedStart))
        edits.append(SourceEdit(insert: ")", at: argument.expression.trimmedEnd))
    }

    /// The relationship that one of the methods is about that Xcode generates.
    private static func relationship(ofMethod name: String) -> String? {
        for prefix in ["addTo", "removeFrom"] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            guard let first = rest.first, first.isUppercase else { continue }
            return first.lowercased() + rest.dropFirst()
        }
        return nil
    }

    /// Remarks on `person.pets = [pet]`, where `pets` is an `NSSet` as sources declare it.
    func remarkOnAssignedLiteral(_ node: SequenceExprSyntax) {
        let elements = Array(node.elements)
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), elements[2].is(ArrayExprSyntax.self),
            let name = elements[0].as(MemberAccessExprSyntax.self)?.declName.baseName.plain,
            let collection = collection(named: name)
        else { return }
        remark(Self.advice + "where this is the relationship, write \(collection)(array: […])", at: elements[2])
    }
}
