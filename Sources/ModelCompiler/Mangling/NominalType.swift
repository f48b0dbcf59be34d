/// A class, struct, enum or protocol, by what its mangled name is made of.
struct NominalType: Hashable, Sendable {
    /// The kinds of declaration, by the letter that a mangled name has for them.
    enum Kind: Character, Sendable {
        case `class` = "C"
        case `struct` = "V"
        case `enum` = "O"
        case `protocol` = "P"
    }

    /// A declaration in the path from the module to the type.
    struct Component: Hashable, Sendable {
        let name: String
        let kind: Kind
        /// What tells private declarations of one name apart that are in different files.
        var discriminator: String?
    }

    /// The module that declares the outermost type.
    let module: String
    /// The type, after those that it is nested in.
    let path: [Component]

    init(module: String, path: [Component]) {
        precondition(!path.isEmpty, "A type has a name.")
        self.module = module
        self.path = path
    }

    /// A type at the top level of a module.
    init(_ module: String, _ name: String, _ kind: Kind) {
        self.init(module: module, path: [Component(name: name, kind: kind)])
    }

    var kind: Kind { path[path.count - 1].kind }

    /// The type that this one is nested in.
    var parent: NominalType? {
        path.count > 1 ? NominalType(module: module, path: Array(path.dropLast())) : nil
    }

    /// The name as written in the module itself, for instance "Library.Book".
    var name: String { path.map(\.name).joined(separator: ".") }
}
