/// Writes the functions behind accessors and methods.
struct FunctionWriter {
    let index: TypeIndex
    let spelling: TypeSpelling
    /// The constant that holds the property's key.
    let keyName: String

    /// The functions of a property: getter and setter.
    func accessors(
        of type: SwiftType, getter: String, setter: String, isPrimitive: Bool
    ) throws -> [ManagedMember.Function] {
        let (wrapped, isOptional): (SwiftType, Bool)
        if case .optional(let inner) = type {
            (wrapped, isOptional) = (inner, true)
        } else {
            (wrapped, isOptional) = (type, false)
        }
        let reading: String
        let writing: String
        var name = spelling.spell(type)
        if isPrimitive {
            try requireVisible(type)
            let value = "primitiveValue(for: \(keyName))"
            reading = isOptional ? value : "requiredValue(\(value), for: \(keyName))"
            writing = "setPrimitiveValue(value, for: \(keyName))"
        } else {
            let form = AccessorForm(wrapped, in: index)
            var wrappedName = spelling.spell(wrapped)
            if form == .object, !isVisible(wrapped) {
                // Objects are passed alike whatever their class, so the function needn't name one that it can't see.
                wrappedName = "NSManagedObject"
                name = wrappedName + (isOptional ? "?" : "")
            } else {
                try requireVisible(type)
            }
            reading = form.reading(wrappedName, isOptional: isOptional, key: keyName)
            writing = form.writing("value", isOptional: isOptional, key: keyName)
        }
        return [
            ManagedMember.Function(symbol: getter, parameters: "", result: name, body: reading),
            ManagedMember.Function(symbol: setter, parameters: "_ value: __owned \(name)", result: nil, body: writing),
        ]
    }

    /// The function of a method that changes a to-many relationship.
    func function(
        for method: ToManyMethod, parameters: [SwiftType], symbol: String
    ) throws -> ManagedMember.Function {
        let names = parameters.indices.map { "value\($0)" }
        let declared = try zip(names, parameters).map { name, type in
            if AccessorForm(type, in: index) == .object, !isVisible(type) { return "_ \(name): NSManagedObject" }
            try requireVisible(type)
            return "_ \(name): \(spelling.spell(type))"
        }
        return ManagedMember.Function(
            symbol: symbol, parameters: declared.joined(separator: ", "), result: nil,
            body: method.call(arguments: names, key: keyName))
    }

    private func requireVisible(_ type: SwiftType) throws {
        guard isVisible(type) else {
            throw TypeResolver.Failure(
                message: "the type \(spelling.spell(type)) is private; make it internal")
        }
    }

    /// Whether a type can be named in another file of the module.
    private func isVisible(_ type: SwiftType) -> Bool {
        switch type {
        case .nominal(let nominal): isVisible(nominal)
        case .bound(let nominal, let arguments): isVisible(nominal) && arguments.allSatisfy(isVisible)
        case .optional(let wrapped): isVisible(wrapped)
        case .tuple(let elements): elements.allSatisfy(isVisible)
        case .existential(let protocols, let superclass):
            (protocols + [superclass].compactMap { $0 }).allSatisfy { isVisible($0) }
        case .anyObject, .parameter: true
        }
    }

    private func isVisible(_ nominal: NominalType) -> Bool {
        nominal.path.allSatisfy { $0.discriminator == nil }
    }
}
