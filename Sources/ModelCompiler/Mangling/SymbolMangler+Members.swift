extension SymbolMangler {
    /// The symbols of a property's accessors.
    static func accessors(
        of property: String, discriminator: String?, type: SwiftType, in context: MemberContext
    ) -> (getter: String, setter: String) {
        var mangler = SymbolMangler()
        mangler.append(context)
        mangler.appendName(property, discriminator: discriminator)
        mangler.append(type)
        mangler.appendOperator("v")
        return (mangler.name + "g", mangler.name + "s")
    }

    /// The symbol of a method. A label of nil is "_".
    static func method(
        _ name: String, discriminator: String?, labels: [String?], parameters: [SwiftType], result: SwiftType,
        in context: MemberContext
    ) -> String {
        var mangler = SymbolMangler()
        mangler.append(context)
        mangler.appendName(name, discriminator: discriminator)
        mangler.appendLabels(labels)
        mangler.appendSignature(parameters, labels: labels, result: result)
        mangler.appendOperator("F")
        return mangler.name
    }

    private mutating func append(_ context: MemberContext) {
        append(context.type)
        guard let module = context.extendingModule else { return }
        appendModule(module)
        appendOperator("E")
    }

    private mutating func appendLabels(_ labels: [String?]) {
        guard !labels.isEmpty else { return }
        guard labels.contains(where: { $0 != nil }) else { return appendOperator("y") }
        for label in labels {
            if let label { appendIdentifier(label) } else { appendOperator("_") }
        }
    }

    private mutating func appendSignature(_ parameters: [SwiftType], labels: [String?], result: SwiftType) {
        if result == .void { appendOperator("y") } else { append(result) }
        switch parameters.count {
        case 0: appendOperator("y")
        case 1 where labels == [nil]: append(parameters[0])
        default:
            appendList(parameters)
            appendOperator("t")
        }
    }
}
