extension SymbolMangler {
    /// Appends a type.
    mutating func append(_ type: SwiftType) {
        switch type {
        case .nominal(let nominal): append(nominal)
        case .parameter(let index): appendParameter(index)
        case .anyObject: appendOperator("yXl")
        case .tuple(let elements) where elements.isEmpty: appendOperator("yt")
        case .tuple(let elements):
            appendList(elements)
            appendOperator("t")
        case .existential(let protocols, _) where protocols.isEmpty: appendOperator("yp")
        case .optional, .bound, .existential:
            if appendSubstitution(for: type) { return }
            appendComposed(type)
            addSubstitution(for: type)
        }
    }

    private mutating func appendComposed(_ type: SwiftType) {
        switch type {
        case .optional(let wrapped):
            append(wrapped)
            appendOperator("Sg")
        case .bound(let nominal, let arguments):
            append(nominal)
            appendOperator("y")
            // The lists of the types that it is nested in are empty.
            for _ in nominal.path.dropLast() { appendOperator("_") }
            for argument in arguments { append(argument) }
            appendOperator("G")
        case .existential(let protocols, let superclass):
            for (index, member) in protocols.enumerated() {
                appendProtocol(member)
                if index == 0 { appendOperator("_") }
            }
            if let superclass {
                append(superclass)
                appendOperator("Xc")
            } else {
                appendOperator("p")
            }
        case .nominal, .tuple, .anyObject, .parameter:
            preconditionFailure("Only composed types are referred to as a whole.")
        }
    }

    /// Appends a class, struct or enum.
    mutating func append(_ nominal: NominalType) {
        if let letter = StandardTypes.letter(of: nominal) { return appendStandard(letter) }
        if appendSubstitution(for: nominal) { return }
        appendContext(of: nominal)
        appendOperator(String(nominal.kind.rawValue))
        addSubstitution(for: nominal)
    }

    /// Appends types as tuples and lists of arguments have them: a "_" after the first.
    mutating func appendList(_ types: [SwiftType]) {
        for (index, type) in types.enumerated() {
            append(type)
            if index == 0 { appendOperator("_") }
        }
    }

    mutating func appendModule(_ name: String) {
        if name == "Swift" { appendOperator("s") } else { appendIdentifier(name) }
    }

    /// Appends a name, with what tells private ones apart.
    mutating func appendName(_ name: String, discriminator: String?) {
        appendIdentifier(name)
        guard let discriminator else { return }
        appendIdentifier(discriminator)
        appendOperator("LL")
    }

    private mutating func appendProtocol(_ nominal: NominalType) {
        if let letter = StandardTypes.letter(of: nominal) { return appendStandard(letter) }
        if appendSubstitution(for: nominal) { return }
        appendContext(of: nominal)
        addSubstitution(for: nominal)
    }

    /// Appends what the type is in, and its name.
    private mutating func appendContext(of nominal: NominalType) {
        if let parent = nominal.parent { append(parent) } else { appendModule(nominal.module) }
        let component = nominal.path[nominal.path.count - 1]
        appendName(component.name, discriminator: component.discriminator)
    }

    private mutating func appendParameter(_ index: Int) {
        guard index > 0 else { return appendOperator("x") }
        appendOperator("q")
        appendIndex(index - 1)
    }
}

/// The types of the standard library that mangled names have a letter for.
enum StandardTypes {
    private static let letters: [String: Character] = [
        "Array": "a", "Bool": "b", "Character": "J", "ClosedRange": "N", "Decodable": "e", "Dictionary": "D",
        "Double": "d", "Encodable": "E", "Equatable": "Q", "Float": "f", "Hashable": "H", "Int": "i",
        "Comparable": "L", "ObjectIdentifier": "O", "Optional": "q", "Range": "n", "RawRepresentable": "Y",
        "Set": "h", "String": "S", "Substring": "s", "UInt": "u",
    ]

    /// The letter of a type, where it has one.
    static func letter(of type: NominalType) -> Character? {
        guard type.module == "Swift", type.path.count == 1 else { return nil }
        return letters[type.path[0].name]
    }
}
