import ModelCompiler
import SwiftSyntax

extension SourcePorter {
    /// The attributes that are errors on Linux.
    private static let refused: Set<String> = [
        "objc", "nonobjc", "objcMembers", "IBAction", "IBOutlet", "IBInspectable", "IBDesignable", "IBSegueAction",
        "GKInspectable",
    ]

    private static let condition = "canImport(ObjectiveC)"

    /// Takes away the attributes that Linux refuses, or puts them under a condition.
    func port(_ attributes: AttributeListSyntax) {
        switch style {
        case .overlay:
            for case .attribute(let attribute) in attributes where Self.refused.contains(attribute.name) {
                if let key = managedKey(attribute, in: attributes) {
                    edits.append(
                        SourceEdit(attribute.trimmedStart..<attribute.trimmedEnd, ObjectiveCKeyComment.text(of: key)))
                } else {
                    blank(attribute)
                }
            }
        case .portable:
            let runs = refusedRuns(in: attributes)
            guard attributes.parent?.is(AccessorDeclSyntax.self) == true else {
                for run in runs { wrap(run, in: Self.condition) }
                return
            }
            if let first = runs.first {
                remark(
                    "an attribute of an accessor can't be put under #if: put the whole property into "
                        + "#if canImport(ObjectiveC), and one without the attribute under #else",
                    at: Syntax(tree.token(at: AbsolutePosition(utf8Offset: first.lowerBound)) ?? tree.endOfFileToken))
            }
        }
    }

    /// The key in `@objc(key)` of an `@NSManaged` property, which its body needs.
    private func managedKey(_ attribute: AttributeSyntax, in attributes: AttributeListSyntax) -> String? {
        guard attribute.name == "objc", attributes.parent?.is(VariableDeclSyntax.self) == true,
            attributes.contains(where: { $0.as(AttributeSyntax.self)?.name == "NSManaged" }),
            let key = attribute.arguments?.trimmedDescription, attribute.trimmedDescription == "@objc(\(key))"
        else { return nil }
        return key
    }

    /// Where refused attributes stand, those that follow each other as one.
    private func refusedRuns(in attributes: AttributeListSyntax) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var isOpen = false
        for element in attributes {
            guard case .attribute(let attribute) = element, Self.refused.contains(attribute.name) else {
                isOpen = false
                continue
            }
            if isOpen, let last = runs.popLast() {
                runs.append(last.lowerBound..<attribute.trimmedEnd)
            } else {
                runs.append(attribute.trimmedStart..<attribute.trimmedEnd)
            }
            isOpen = true
        }
        return runs
    }

    /// Puts something under a condition, in lines of its own.
    func wrap(_ node: some SyntaxProtocol, in condition: String) {
        wrap(node.trimmedStart..<node.trimmedEnd, in: condition)
    }

    private func wrap(_ range: Range<Int>, in condition: String) {
        let newline = UInt8(ascii: "\n")
        let lineStart = bytes[..<range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let lineEnd = bytes[range.upperBound...].firstIndex(of: newline) ?? bytes.count
        let indentEnd = bytes[lineStart...].firstIndex { !Self.isBlank($0) } ?? bytes.count
        let indent = text(lineStart..<indentEnd)
        let opening = "#if \(condition)\n"
        // What stands before on the line gets a line of its own.
        if indentEnd == range.lowerBound {
            edits.append(SourceEdit(insert: opening + indent, at: range.lowerBound))
        } else {
            let start = bytes[..<range.lowerBound].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? lineStart
            edits.append(SourceEdit(start..<range.lowerBound, "\n\(indent)\(opening)\(indent)"))
        }
        let rest = bytes[range.upperBound..<lineEnd].drop(while: Self.isBlank)
        if rest.isEmpty || rest.starts(with: "//".utf8) {
            edits.append(SourceEdit(insert: "\n\(indent)#endif", at: lineEnd))
        } else {
            edits.append(SourceEdit(range.upperBound..<rest.startIndex, "\n\(indent)#endif\n\(indent)"))
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// A protocol that is Objective-C's is for classes only, and has to say so where it isn't.
    func portObjectiveCProtocol(_ node: ProtocolDeclSyntax) {
        let isObjectiveC = node.attributes.contains { $0.as(AttributeSyntax.self)?.name == "objc" }
        guard isObjectiveC else { return }
        if let clause = node.inheritanceClause {
            let names = clause.inheritedTypes.map(\.type.trimmedDescription)
            guard !names.contains(where: { ["AnyObject", "class", "NSObjectProtocol"].contains($0) }),
                let first = clause.inheritedTypes.first
            else { return }
            edits.append(SourceEdit(insert: "AnyObject, ", at: first.trimmedStart))
        } else {
            edits.append(SourceEdit(insert: ": AnyObject", at: node.name.trimmedEnd))
        }
    }

    /// Remarks on what only Objective-C's methods can have.
    func remarkOnModifier(_ node: DeclModifierSyntax) {
        switch node.name.tokenKind {
        case .keyword(.override):
            // The modifier, its list, the member, the item of the block, the list, the block, and what it is of.
            guard let owner = node.parent?.parent?.parent?.parent?.parent?.parent, owner.is(ExtensionDeclSyntax.self)
            else { return }
            remark("a method can't be overridden in an extension: move the override into the class", at: node)
        case .keyword(.optional):
            remark(
                "requirements are optional in Objective-C's protocols only: give it a default in an extension of the "
                    + "protocol",
                at: node)
        default: return
        }
    }
}
