import SwiftSyntax

extension SourcePorter {
    /// Writes `#keyPath(Person.address.street)` as "address.street".
    func portKeyPath(_ node: MacroExpansionExprSyntax) {
        guard let argument = node.arguments.first?.expression, let names = names(in: argument), !names.isEmpty else {
            remark("this #keyPath can't be read: write the key path as a string", at: node)
            return
        }
        // By the custom of Swift, types have upper-case names, and properties don't. The last is one in any case.
        let first = names.dropLast().firstIndex { $0.first?.isUppercase != true && $0 != "self" } ?? names.count - 1
        let literal = "\"\(names[first...].joined(separator: "."))\""
        let range = node.trimmedStart..<node.trimmedEnd
        let padding = style == .overlay ? String(repeating: "\n", count: lineCount(range)) : ""
        edits.append(SourceEdit(range, literal + padding))
    }

    /// The names in `A.b.c`, also with `?` and `!` between them.
    private func names(in expression: ExprSyntax) -> [String]? {
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference) where reference.argumentNames == nil: return [reference.baseName.plain]
        case .memberAccessExpr(let member):
            guard let base = member.base, let names = names(in: base) else { return nil }
            return names + [member.declName.baseName.plain]
        case .optionalChainingExpr(let chaining): return names(in: chaining.expression)
        case .forceUnwrapExpr(let unwrap): return names(in: unwrap.expression)
        default: return nil
        }
    }

    /// Finds `request as! NSFetchRequest<NSFetchRequestResult>`, which can't succeed here.
    func portErasingCasts(in list: ExprListSyntax) {
        let elements = Array(list)
        for index in elements.indices.dropFirst().dropLast() {
            guard let cast = elements[index].as(UnresolvedAsExprSyntax.self),
                let type = elements[index + 1].as(TypeExprSyntax.self)?.type, isErased(type)
            else { continue }
            let operand = elements[index - 1]
            let isAlone = index == 1 || elements[index - 2].is(AssignmentExprSyntax.self)
            guard style == .overlay, cast.questionOrExclamationMark?.tokenKind == .exclamationMark, isAlone else {
                remark(
                    "generics are invariant on Linux, so this cast can't succeed: leave it out there, as what takes "
                        + "the erased request takes any; where one has to be, make it with init(erasing:)",
                    at: cast)
                continue
            }
            let removed = operand.trimmedEnd..<elements[index + 1].trimmedEnd
            edits.append(SourceEdit(insert: "NSFetchRequest<NSFetchRequestResult>(erasing: ", at: operand.trimmedStart))
            edits.append(SourceEdit(removed, ")" + String(repeating: "\n", count: lineCount(removed))))
        }
    }

    private func isErased(_ type: TypeSyntax) -> Bool {
        ["NSFetchRequest<NSFetchRequestResult>", "NSFetchRequest<any NSFetchRequestResult>"]
            .contains(type.trimmedDescription)
    }
}

extension TokenSyntax {
    /// The name without the backticks that keywords need.
    var plain: String { text.filter { $0 != "`" } }
}
