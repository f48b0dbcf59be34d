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
}

extension TokenSyntax {
    /// The name without the backticks that keywords need.
    var plain: String { text.filter { $0 != "`" } }
}

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

extension SourcePorter {
    /// Writes `Foundation.ValueTransformer` as `CoreData.ValueTransformer`: what Linux' Foundation lacks, or has without what
    /// Core Data needs, is CoreData's there, and on Apple's platforms the module names both.
    func portQualifier(_ module: TokenSyntax?, of name: TokenSyntax) {
        guard let module, module.text == "Foundation", CoreDataNames.contains(name.plain) else { return }
        edits.append(SourceEdit(module.trimmedStart..<module.trimmedEnd, "CoreData"))
        requireCoreData()
    }
}

extension SourcePorter {
    /// Whether CoreData has to be imported with Foundation's access: on Linux it has what a source shows of Foundation's.
    func needsAccess(_ node: ImportDeclSyntax) -> Bool {
        node.module == "CoreData" && node.modifiers.isEmpty && node.path.count == 1 && !accessOfImports.isEmpty
            && imports.contains { $0.module == "Foundation" && !$0.modifiers.isEmpty }
            && !names.isDisjoint(with: CoreDataNames.ofFoundation)
    }
}
