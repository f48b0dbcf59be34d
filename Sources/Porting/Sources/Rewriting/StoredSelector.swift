import SwiftSyntax

/// A `#selector` that is stored and handed to a call later, or that a timer takes: on Linux it has to bring its method along.
struct StoredSelector {
    /// What is written for it.
    let text: String

    /// - Returns: nil for one that is another call's argument, of a property, or of a method whose class or parameters can't be told.
    init?(_ node: MacroExpansionExprSyntax, _ declarations: DeclarationTable) {
        guard node.macroName.text == "selector", let argument = node.arguments.first, node.arguments.count == 1,
            argument.label == nil, node.parent?.is(LabeledExprSyntax.self) != true || Self.isOfTimer(node)
        else { return nil }
        let member = argument.expression.as(MemberAccessExprSyntax.self)
        guard let reference = argument.expression.as(DeclReferenceExprSyntax.self) ?? member?.declName,
            let method = declarations.method(named: reference.baseName.plain), method.labels.count < 2,
            let type = Self.type(named: member?.base, around: node)
        else { return nil }
        let name = reference.baseName.plain
        let selector = method.selector(named: name)
        guard let label = method.labels.first, let argumentType = method.types.first else {
            text = "Selector((\"\(selector)\"), calling: { (target: \(type), _: Any?) in target.\(name)() })"
            return
        }
        let value =
            argumentType.hasPrefix("NSNotification")
            ? "(argument as! Notification) as NSNotification" : "argument as! \(argumentType)"
        text =
            "Selector((\"\(selector)\"), calling: { (target: \(type), argument: Any?) in "
            + "target.\(name)(\(label.map { "\($0): " } ?? "")\(value)) })"
    }

    /// Whether a selector is the argument of `Timer(timeInterval:target:selector:userInfo:repeats:)` or its like.
    private static func isOfTimer(_ node: MacroExpansionExprSyntax) -> Bool {
        let arguments = node.parent?.parent?.as(LabeledExprListSyntax.self)?.map { $0.label?.text }
        return arguments?.suffix(4) == ["target", "selector", "userInfo", "repeats"]
    }

    /// The class that the method is of: the one that is named, or the one around.
    private static func type(named base: ExprSyntax?, around node: some SyntaxProtocol) -> String? {
        if let base, base.trimmedDescription != "self" {
            let name = base.trimmedDescription
            // By the custom of Swift, types have upper-case names, and values don't.
            return name.split(separator: ".").last?.first?.isUppercase == true ? name : nil
        }
        var names: [String] = []
        var current = node.parent
        while let node = current {
            if let type = node.as(ExtensionDeclSyntax.self)?.extendedType { names.append(type.trimmedDescription) }
            if let type = node.as(ClassDeclSyntax.self) {
                // A closure can't name a generic class without its arguments.
                guard type.genericParameterClause == nil else { return nil }
                names.append(type.name.text)
            }
            current = node.parent
        }
        return names.isEmpty ? nil : names.reversed().joined(separator: ".")
    }
}
