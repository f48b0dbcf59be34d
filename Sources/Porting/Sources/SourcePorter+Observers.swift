import SwiftSyntax

extension SourcePorter {
    /// The parts of `center.addObserver(observer, selector: #selector(…), name: name, object: object)`.
    private struct Observation {
        let center: String
        let observer: String
        /// The call of the method on a value of the given name, with the notification of another.
        let call: (_ observer: String, _ notification: String) -> String
        /// Whether the method has the notification as its argument.
        let takesNotification: Bool
        let name: String
        let object: String
    }

    /// Writes an observer of notifications that is called by a selector as one that is called by a closure. Returns false
    /// where the call is no such thing.
    func portObserver(_ node: FunctionCallExprSyntax) -> Bool {
        guard node.parent?.is(CodeBlockItemSyntax.self) == true, let parts = observation(node) else {
            return false
        }
        let text: String
        switch style {
        case .portable:
            // A class doesn't go away, and can't be held weakly.
            let isClass = parts.observer.hasSuffix(".self") || parts.observer == "self" && isInTypeMethod(node)
            let capture = isClass ? "" : "[weak observer = \(parts.observer)] "
            text =
                "_ = \(parts.center).addObserver(forName: \(parts.name), object: \(parts.object), queue: nil) "
                + "{ \(capture)\(parts.takesNotification ? "notification" : "_") in "
                + "\(parts.call(isClass ? parts.observer : "observer?", "notification")) }"
            remark(
                "the observer has become a closure: where it was removed before it went away, keep what "
                    + "addObserver(forName:object:queue:using:) returns, and remove that",
                at: node)
        case .overlay:
            text =
                "\(parts.center).addObserver(\(parts.observer), name: \(parts.name), object: \(parts.object)) "
                + "{ \(parts.takesNotification ? "" : "_ = $1; ")\(parts.call("$0", "$1")) }"
        }
        let range = node.trimmedStart..<node.trimmedEnd
        let missing = lineCount(range) - text.utf8.count { $0 == UInt8(ascii: "\n") }
        let padding = style == .overlay ? String(repeating: "\n", count: max(missing, 0)) : ""
        edits.append(SourceEdit(range, text + padding))
        return true
    }

    /// Whether `self` is a class there.
    private func isInTypeMethod(_ node: some SyntaxProtocol) -> Bool {
        var current = node.parent
        while let parent = current, !parent.is(MemberBlockSyntax.self) {
            let modifiers =
                parent.as(FunctionDeclSyntax.self)?.modifiers ?? parent.as(VariableDeclSyntax.self)?.modifiers
            if let modifiers { return modifiers.contains { ["static", "class"].contains($0.name.text) } }
            current = parent.parent
        }
        return false
    }

    private func observation(_ node: FunctionCallExprSyntax) -> Observation? {
        let arguments = Array(node.arguments)
        guard let called = node.calledExpression.as(MemberAccessExprSyntax.self), let center = called.base,
            called.declName.baseName.text == "addObserver",
            arguments.map({ $0.label?.text }) == [nil, "selector", "name", "object"],
            let selector = arguments[1].expression.as(MacroExpansionExprSyntax.self),
            selector.macroName.text == "selector", let method = selector.arguments.first?.expression
        else { return nil }
        guard let (call, takesNotification) = call(of: method) else { return nil }
        return Observation(
            center: center.trimmedDescription, observer: arguments[0].expression.trimmedDescription, call: call,
            takesNotification: takesNotification,
            name: arguments[2].expression.trimmedDescription, object: arguments[3].expression.trimmedDescription)
    }

    private func call(of method: ExprSyntax) -> ((String, String) -> String, Bool)? {
        guard
            let reference = method.as(DeclReferenceExprSyntax.self)
                ?? method.as(MemberAccessExprSyntax.self)?.declName
        else { return nil }
        let name = reference.baseName.text
        let written = reference.argumentNames?.arguments.map { argument in
            argument.name.tokenKind == .wildcard ? nil : argument.name.text
        }
        let declared = self.method(named: reference.baseName.plain)
        guard let labels = written ?? declared?.labels, labels.count < 2 else { return nil }
        let takesReference = declared?.labels == labels && declared?.types.first?.hasPrefix("NSNotification") == true
        let call = { (observer: String, notification: String) in
            let value =
                takesReference
                ? "NSNotification(name: \(notification).name, object: \(notification).object, "
                    + "userInfo: \(notification).userInfo)" : notification
            let argument = labels.first.map { label in (label.map { "\($0): " } ?? "") + value } ?? ""
            // What a notification's observer throws isn't caught, on Apple's platforms neither.
            let attempt = declared?.isThrowing == true ? "try? " : ""
            return "\(attempt)\(observer).\(name)(\(argument))"
        }
        return (call, !labels.isEmpty)
    }
}

extension SourcePorter {
    /// Remarks on an override of what managed objects alone have to override, where `ObserverOverrides` couldn't rewrite it.
    func remarkOnObserving(_ node: FunctionDeclSyntax) {
        guard let name = ObserverOverrides.protocols[node.name.text], node.overriding != nil else { return }
        var owner = node.parent
        while let current = owner, !current.is(ClassDeclSyntax.self), !current.is(ExtensionDeclSyntax.self) {
            owner = current.parent
        }
        if let owner = owner?.as(ClassDeclSyntax.self), inheritsObserving(owner.name.plain, node.name.text) { return }
        remark(
            "\(node.name.text) can't be overridden: adopt \(name), and declare it without override", at: node.name)
    }

    private func inheritsObserving(_ name: String, _ method: String) -> Bool {
        var declarations = DeclarationTable(tree)
        declarations.add(surroundings.declarations)
        return declarations.inheritsObserving(name, method)
    }
}
