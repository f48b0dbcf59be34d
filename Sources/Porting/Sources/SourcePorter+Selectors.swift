import SwiftSyntax

extension SourcePorter {
    /// The methods by which strings are compared, which every sort descriptor knows.
    private static let comparisons: Set<String> = [
        "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
        "localizedStandardCompare",
    ]

    /// Writes `#selector(NSString.caseInsensitiveCompare(_:))` by its name, where a selector is no more than a name: in sort
    /// descriptors and comparisons, and for getters, which key-value coding knows by theirs.
    func portSelector(_ node: MacroExpansionExprSyntax) {
        guard let argument = node.arguments.first, let name = selector(argument) else {
            return remark(
                "#selector needs the Objective-C runtime: call the method, or pass a closure that calls it", at: node)
        }
        if isInterpolated(node) { return write("\"\(name)\"", for: node) }
        guard argument.label?.text == "getter" || isName(node) || isComparison(argument) else {
            return remark(
                "#selector needs the Objective-C runtime: call the method, or pass a closure that calls it", at: node)
        }
        // The second pair of brackets tells Apple's compiler that the name is meant to be one.
        write("Selector((\"\(name)\"))", for: node)
        requireCoreData()
    }

    private func write(_ text: String, for node: some SyntaxProtocol) {
        let range = node.trimmedStart..<node.trimmedEnd
        let padding = style == .overlay ? String(repeating: "\n", count: lineCount(range)) : ""
        edits.append(SourceEdit(range, text + padding))
    }

    /// Whether a selector is all that stands in an interpolation of a string, where it is its name.
    private func isInterpolated(_ node: MacroExpansionExprSyntax) -> Bool {
        node.parent?.parent?.parent?.is(ExpressionSegmentSyntax.self) == true
    }

    /// Writes `NSStringFromSelector(#selector(getter: Person.name))` as "name".
    func portStringFromSelector(_ node: FunctionCallExprSyntax) -> Bool {
        guard node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "NSStringFromSelector",
            let selector = node.arguments.first?.expression.as(MacroExpansionExprSyntax.self),
            selector.macroName.text == "selector", let argument = selector.arguments.first,
            let name = self.selector(argument)
        else { return false }
        write("\"\(name)\"", for: node)
        return true
    }

    /// Whether a selector is that of a comparison of strings, which only sort descriptors call, wherever it is kept before.
    private func isComparison(_ argument: LabeledExprSyntax) -> Bool {
        guard let member = argument.expression.as(MemberAccessExprSyntax.self),
            let base = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text
        else { return false }
        return ["NSString", "NSNumber", "NSDate"].contains(base)
            && Self.comparisons.contains(member.declName.baseName.plain)
    }

    /// Whether a selector is the argument of a sort descriptor or comparison.
    private func isName(_ node: MacroExpansionExprSyntax) -> Bool {
        guard let argument = node.parent?.as(LabeledExprSyntax.self), let label = argument.label?.text,
            let arguments = argument.parent?.as(LabeledExprListSyntax.self)
        else { return false }
        return label == "customSelector"
            || (label == "selector" && arguments.contains { $0.label?.text == "ascending" })
    }

    /// The selector's name; nil where it can't be told.
    private func selector(_ argument: LabeledExprSyntax) -> String? {
        var expression = argument.expression
        // `#selector(setter: …)` and a method that is chosen by its type aren't read.
        if argument.label?.text == "setter" { return nil }
        while let optional = expression.as(OptionalChainingExprSyntax.self)?.expression { expression = optional }
        guard
            let reference = expression.as(DeclReferenceExprSyntax.self)
                ?? expression.as(MemberAccessExprSyntax.self)?.declName
        else { return nil }
        let name = reference.baseName.plain
        if argument.label?.text == "getter" { return name }
        guard let names = reference.argumentNames?.arguments else {
            return Self.comparisons.contains(name) ? name + ":" : method(named: name)?.selector(named: name)
        }
        let labels = names.map { $0.name.tokenKind == .wildcard ? nil : $0.name.plain }
        if let declared = method(named: name), declared.labels == labels { return declared.selector(named: name) }
        return DeclarationTable.Method(labels: labels, types: [], objectiveCName: nil).selector(named: name)
    }
}
