import SwiftSyntax

/// Turns types as they are written into those that mangled names have.
struct TypeResolver {
    /// Why a type can't be told from the sources.
    struct Failure: Error {
        let message: String
    }

    private static let maximumAliasDepth = 32

    let index: TypeIndex
    /// The module whose sources the type is written in.
    let module: ModuleTypes
    /// The paths of the types that it is written inside of, from the inside out.
    let enclosing: [[String]]
    /// The generic parameters that are in scope.
    let parameters: [String]
    private var aliasDepth = 0

    init(index: TypeIndex, module: ModuleTypes, enclosing: [[String]], parameters: [String] = []) {
        self.index = index
        self.module = module
        self.enclosing = enclosing
        self.parameters = parameters
    }

    func resolve(_ type: TypeSyntax) throws -> SwiftType {
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let optional): return .optional(try resolve(optional.wrappedType))
        case .implicitlyUnwrappedOptionalType(let optional): return .optional(try resolve(optional.wrappedType))
        case .arrayType(let array):
            return .bound(NominalType("Swift", "Array", .struct), [try resolve(array.element)])
        case .dictionaryType(let dictionary):
            let arguments = [try resolve(dictionary.key), try resolve(dictionary.value)]
            return .bound(NominalType("Swift", "Dictionary", .struct), arguments)
        case .identifierType(let identifier):
            return try resolve([identifier.name.plainName], arguments: identifier.genericArgumentClause, of: type)
        case .memberType(let member):
            return try resolve(names(of: type), arguments: member.genericArgumentClause, of: type)
        case .someOrAnyType(let existential) where existential.someOrAnySpecifier.tokenKind == .keyword(.any):
            return try resolve(existential.constraint)
        case .compositionType(let composition):
            return try resolve(composition)
        case .tupleType(let tuple):
            if tuple.elements.count == 1, let only = tuple.elements.first { return try resolve(only.type) }
            guard tuple.elements.allSatisfy({ $0.firstName == nil }) else { throw unsupported(type) }
            return .tuple(try tuple.elements.map { try resolve($0.type) })
        default: throw unsupported(type)
        }
    }

    private func unsupported(_ type: some SyntaxProtocol) -> Failure {
        Failure(message: "the type \(type.trimmedDescription) is of a kind that @NSManaged can't have")
    }

    private func names(of type: TypeSyntax) throws -> [String] {
        if let identifier = type.as(IdentifierTypeSyntax.self), identifier.genericArgumentClause == nil {
            return [identifier.name.plainName]
        }
        guard let member = type.as(MemberTypeSyntax.self) else { throw unsupported(type) }
        if member.baseType.as(IdentifierTypeSyntax.self)?.genericArgumentClause != nil { throw unsupported(type) }
        return try names(of: member.baseType) + [member.name.plainName]
    }

    private func resolve(_ composition: CompositionTypeSyntax) throws -> SwiftType {
        var protocols: Set<NominalType> = []
        var superclass: NominalType?
        for element in composition.elements {
            switch try resolve(element.type) {
            case .existential(let members, let own):
                protocols.formUnion(members)
                superclass = superclass ?? own
            case .nominal(let nominal) where nominal.kind == .class: superclass = nominal
            default: throw unsupported(composition)
            }
        }
        let sorted = protocols.sorted { ($0.module, $0.name) < ($1.module, $1.name) }
        return .existential(protocols: sorted, superclass: superclass)
    }

    private func resolve(
        _ names: [String], arguments: GenericArgumentClauseSyntax?, of type: TypeSyntax
    ) throws -> SwiftType {
        let arguments = try arguments?.arguments.map { argument in
            guard let type = TypeSyntax(argument.argument) else { throw unsupported(argument) }
            return try resolve(type)
        }
        if names.count == 1, arguments == nil, let parameter = parameters.firstIndex(of: names[0]) {
            return .parameter(parameter)
        }
        if let declaration = try declaration(of: names) {
            return try resolve(declaration, arguments: arguments ?? [], of: type)
        }
        let plain = names.count == 2 && KnownTypes.modules.contains(names[0]) ? Array(names.dropFirst()) : names
        if plain.count == 1 { if let known = try known(plain[0], arguments: arguments) { return known } }
        throw Failure(
            message: """
                the type \(type.trimmedDescription) is not declared in this target, in a package that it depends on, \
                or in Foundation
                """)
    }

    private func known(_ name: String, arguments: [SwiftType]?) throws -> SwiftType? {
        guard let arguments else {
            if name == "Codable" {
                let members = ["Decodable", "Encodable"].map { NominalType("Swift", $0, .protocol) }
                return .existential(protocols: members, superclass: nil)
            }
            return KnownTypes.type(named: name)
        }
        if name == "Optional", arguments.count == 1 { return .optional(arguments[0]) }
        return KnownTypes.generic(named: name).map { .bound($0, arguments) }
    }

    /// Finds a type by the names in its path, following aliases on the way.
    private func declaration(of names: [String]) throws -> TypeIndex.Declaration? {
        var rest = names[...]
        var found = index.find(names[0], from: enclosing, in: module)
        rest.removeFirst()
        if found == nil, let next = rest.first, let named = index.module(named: names[0]) {
            found = index.member(next, of: [], in: named)
            rest.removeFirst()
        }
        for name in rest {
            guard let owner = found else { return nil }
            guard case .alias(let target) = owner.type.form else {
                found = index.member(name, of: owner.path, in: owner.module)
                continue
            }
            let path = ModuleTypes.path(writtenAs: target, in: owner.module.module) + [name]
            found = try following(owner).declaration(of: path)
        }
        return found
    }

    private func resolve(
        _ declaration: TypeIndex.Declaration, arguments: [SwiftType], of type: TypeSyntax
    ) throws -> SwiftType {
        if case .alias(let target) = declaration.type.form {
            guard declaration.type.parameters.isEmpty else { throw unsupported(type) }
            return try following(declaration).resolve(target)
        }
        guard let nominal = index.nominal(declaration), !declaration.module.isInGenericType(declaration.path) else {
            throw unsupported(type)
        }
        // A generic class says its own name inside of itself without arguments.
        let isOwnClass = declaration.path == enclosing.first && declaration.module.module == module.module
        if arguments.isEmpty, isOwnClass, !declaration.type.parameters.isEmpty {
            return .bound(nominal, declaration.type.parameters.indices.map { .parameter($0) })
        }
        guard arguments.count == declaration.type.parameters.count else { throw unsupported(type) }
        if nominal.kind == .protocol { return .existential(protocols: [nominal], superclass: nil) }
        return arguments.isEmpty ? .nominal(nominal) : .bound(nominal, arguments)
    }

    /// A resolver at the place of an alias.
    private func following(_ alias: TypeIndex.Declaration) throws -> TypeResolver {
        guard aliasDepth < Self.maximumAliasDepth else {
            throw Failure(message: "the type alias \(alias.type.name) leads to itself")
        }
        var resolver = TypeResolver(
            index: index, module: alias.module, enclosing: alias.module.enclosing(alias.type.scope))
        resolver.aliasDepth = aliasDepth + 1
        return resolver
    }
}
