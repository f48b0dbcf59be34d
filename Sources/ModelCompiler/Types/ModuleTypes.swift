import SwiftSyntax

/// The types that the sources of a module declare, by their paths.
struct ModuleTypes {
    let module: String
    private var types: [String: DeclaredType] = [:]
    private var names: Set<String> = []
    /// Private types whose paths are those of types in other files too, by file and path.
    private var homonyms: [String: [String: DeclaredType]] = [:]

    init(module: String, files: [ScannedFile]) {
        self.module = module
        for file in files {
            for type in file.types {
                let path = path(of: type.scope) + [type.name]
                add(type, at: path.joined(separator: "."))
                names.insert(type.name)
            }
        }
    }

    /// The same type in several branches of #if is one type.
    private mutating func add(_ type: DeclaredType, at path: String) {
        if let present = types[path], present.scope.file != type.scope.file {
            for homonym in [present, type] where homonym.isPrivate {
                homonyms[homonym.scope.file, default: [:]][path] = homonym
            }
            if type.isPrivate, !present.isPrivate { return }
        }
        types[path] = type
    }

    /// The types as the code of one file sees them, where that is another view: its own private ones hide those that others
    /// call the same.
    func seen(from file: String) -> ModuleTypes? {
        guard let own = homonyms[file] else { return nil }
        var copy = self
        copy.types.merge(own) { $1 }
        return copy
    }

    /// The type at a path such as "Library.Book".
    subscript(path: [String]) -> DeclaredType? { types[path.joined(separator: ".")] }

    /// Whether a type is inside of a generic one, so that its name needs that one's arguments.
    func isInGenericType(_ path: [String]) -> Bool {
        path.indices.dropFirst().contains { !(self[Array(path.prefix($0))]?.parameters.isEmpty ?? true) }
    }

    /// Whether a type of that name is declared anywhere in the module.
    func declares(_ name: String) -> Bool { names.contains(name) }

    /// The path of the type that a scope is inside of; for extensions as they are written.
    func path(of scope: LexicalScope) -> [String] {
        scope.levels.reduce([]) { path, level in
            switch level {
            case .type(_, let name, _, _): path + [name]
            case .extension(let type, _, _, _): Self.path(writtenAs: type, in: module)
            }
        }
    }

    /// The paths of the types whose members are in scope, from the inside out.
    ///
    /// An extension of `Library.Book` sees the members of `Book`, but not those of `Library`.
    func enclosing(_ scope: LexicalScope) -> [[String]] {
        scope.levels.indices.reversed().map { end in
            var outer = scope
            outer.levels = Array(scope.levels[...end])
            return path(of: outer)
        }
    }

    /// The names in a type like `Library.Book<T>`, without the module in front.
    static func path(writtenAs type: TypeSyntax, in module: String) -> [String] {
        var path: [String] = []
        var current = type
        while let member = current.as(MemberTypeSyntax.self) {
            path.insert(member.name.plainName, at: 0)
            current = member.baseType
        }
        if let identifier = current.as(IdentifierTypeSyntax.self) { path.insert(identifier.name.plainName, at: 0) }
        if path.count > 1, path[0] == module { path.removeFirst() }
        return path
    }
}
