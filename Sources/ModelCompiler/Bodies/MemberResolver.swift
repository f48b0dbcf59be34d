import SwiftSyntax

/// Works out which symbols an `@NSManaged` declaration needs, and what the functions behind them do.
struct MemberResolver {
    /// The class that a declaration is a member of.
    private struct Owner {
        let declaration: TypeIndex.Declaration
        let context: MemberContext
        let access: AccessLevel
    }

    private var index: TypeIndex
    /// The names of all managed properties of the target, by the path of their class.
    let propertyNames: [String: Set<String>]

    init(index: TypeIndex, files: [ScannedFile]) {
        self.index = index
        let properties = files.flatMap(\.managed).filter { if case .property = $0.form { true } else { false } }
        let pairs = properties.map { (index.own.path(of: $0.scope).joined(separator: "."), Set([$0.name])) }
        propertyNames = Dictionary(pairs) { $0.union($1) }
    }

    /// Resolves a declaration.
    ///
    /// - Parameter keyName: the name of the constant that will hold the property's key.
    /// - Throws: a `CompilerDiagnostic` that says what can't be told, and the way out.
    func resolve(_ declaration: ManagedDeclaration, keyName: String) throws -> ManagedMember {
        do {
            var resolver = self
            resolver.index = index.seen(from: declaration.scope.file)
            return try resolver.member(declaration, keyName: keyName)
        } catch let failure as TypeResolver.Failure {
            throw CompilerDiagnostic(
                .error,
                """
                no body can be made for the @NSManaged member "\(declaration.name)": \(failure.message). Declare it \
                without @NSManaged and write the body yourself, with value(forKey:) and setValue(_:forKey:)
                """, file: declaration.scope.file, line: declaration.line, column: declaration.column)
        }
    }

    private func member(_ declaration: ManagedDeclaration, keyName: String) throws -> ManagedMember {
        let owner = try owner(of: declaration.scope)
        let parameters = owner.declaration.type.parameters
        let resolver = TypeResolver(
            index: index, module: index.own, enclosing: index.own.enclosing(declaration.scope),
            parameters: parameters)
        let isHidden = owner.access.isPrivate
        if isHidden, !parameters.isEmpty {
            throw TypeResolver.Failure(message: "its class is both private and generic")
        }
        let isInPrivateType = owner.context.type.path.contains { $0.discriminator != nil }
        let discriminator =
            declaration.access.isPrivate && !isInPrivateType
            ? TypeIndex.discriminator(file: declaration.scope.file, module: index.own.module) : nil
        var spelling = TypeSpelling(index)
        spelling.parameters = parameters
        let writer = FunctionWriter(index: index, spelling: spelling, keyName: keyName)
        let functions: [ManagedMember.Function]
        var key = declaration.objectiveCName ?? declaration.name
        switch declaration.form {
        case .property(let syntax):
            let type = try resolver.resolve(syntax)
            let symbols = SymbolMangler.accessors(
                of: declaration.name, discriminator: discriminator, type: type, in: owner.context)
            let primitive = Self.primitiveKey(of: key)
            if let primitive { key = primitive }
            functions = try writer.accessors(
                of: type, getter: symbols.getter, setter: symbols.setter, isPrimitive: primitive != nil)
        case .method(let parameters, let result):
            let types = try parameters.map { try resolver.resolve($0.type) }
            let labels = parameters.map(\.label)
            guard try result.map(resolver.resolve) ?? .void == .void,
                let method = ToManyMethod(name: declaration.name, labels: labels, parameters: types)
            else {
                throw TypeResolver.Failure(
                    message: "the method is none of those that Core Data makes for to-many relationships")
            }
            key = self.key(of: method, in: declaration.scope)
            let symbol = SymbolMangler.method(
                declaration.name, discriminator: discriminator, labels: labels, parameters: types, result: .void,
                in: owner.context)
            functions = [try writer.function(for: method, parameters: types, symbol: symbol)]
        }
        let extended = isHidden ? nil : spelling.spell(owner.context.type)
        let isManaged = !isOrdinaryObject(owner.declaration)
        let missing = "\(owner.declaration.path.joined(separator: ".")) doesn't inherit from NSManagedObject"
        return ManagedMember(
            extendedClass: extended, access: min(owner.access, declaration.access),
            conditions: declaration.scope.conditions, key: key,
            functions: isManaged ? functions : functions.map { $0.stopping("\(declaration.name): \(missing)") })
    }

    /// Whether the class is known not to be one of managed objects: on Apple's platforms its members compile, and stop the program
    /// when they are used.
    private func isOrdinaryObject(_ owner: TypeIndex.Declaration) -> Bool {
        index.inherits(owner.path, from: "NSObject", in: owner.module)
            && !index.isManagedObject(owner.path, in: owner.module)
    }

    /// "primitiveName" reads and writes "name" without telling anyone.
    private static func primitiveKey(of name: String) -> String? {
        let rest = name.dropFirst("primitive".count)
        guard name.hasPrefix("primitive"), let first = rest.first, first.isUppercase else { return nil }
        return first.lowercased() + rest.dropFirst()
    }

    /// The relationship that a method is about: one of the class's properties where the names fit but for the case of
    /// the first letter.
    private func key(of method: ToManyMethod, in scope: LexicalScope) -> String {
        let names = propertyNames[index.own.path(of: scope).joined(separator: ".")] ?? []
        return names.contains(method.relationship) ? method.relationship : method.defaultKey
    }

    private func owner(of scope: LexicalScope) throws -> Owner {
        guard case .extension(let extended, _, let isConstrained, _)? = scope.levels.first else {
            return try owner(at: index.own.path(of: scope), in: index.own)
        }
        if isConstrained {
            throw TypeResolver.Failure(message: "it is in an extension with conditions")
        }
        var path = ModuleTypes.path(writtenAs: extended, in: index.own.module)
        guard let first = path.first else { throw TypeResolver.Failure(message: "it is not in a class") }
        guard var found = index.find(first, from: [], in: index.own) ?? foreign(&path) else {
            throw TypeResolver.Failure(message: "the class \(extended.trimmedDescription) is in none of the sources")
        }
        for name in path.dropFirst() {
            guard let member = index.member(name, of: found.path, in: found.module) else {
                throw TypeResolver.Failure(
                    message: "the class \(extended.trimmedDescription) is in none of the sources")
            }
            found = member
        }
        let inner = scope.levels.dropFirst().compactMap { if case .type(_, let name, _, _) = $0 { name } else { nil } }
        guard found.module.module == index.own.module || inner.isEmpty else {
            throw TypeResolver.Failure(message: "its class is nested in a type of another module")
        }
        return try owner(at: found.path + inner, in: found.module)
    }

    /// The type of another module whose name is in front; takes the name off the path.
    private func foreign(_ path: inout [String]) -> TypeIndex.Declaration? {
        guard path.count > 1, let module = index.module(named: path[0]) else { return nil }
        path.removeFirst()
        return index.member(path[0], of: [], in: module)
    }

    private func owner(at path: [String], in module: ModuleTypes) throws -> Owner {
        guard !path.isEmpty, let type = module[path] else {
            throw TypeResolver.Failure(message: "it is not in a class of this target")
        }
        let declaration = TypeIndex.Declaration(module: module, path: path, type: type)
        guard let nominal = index.nominal(declaration), nominal.kind == .class else {
            throw TypeResolver.Failure(message: "it is not in a class")
        }
        guard !module.isInGenericType(path) else {
            throw TypeResolver.Failure(message: "its class is nested in a generic type")
        }
        let isForeign = module.module != index.own.module
        return Owner(
            declaration: declaration,
            context: MemberContext(type: nominal, extendingModule: isForeign ? index.own.module : nil),
            access: index.access(declaration))
    }
}
