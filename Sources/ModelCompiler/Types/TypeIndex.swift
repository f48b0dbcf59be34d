import Foundation

/// The types of a target and of the modules that it uses, looked up by name as the Swift compiler does.
struct TypeIndex {
    /// A type that was found: where it is declared, and how.
    struct Declaration {
        let module: ModuleTypes
        let path: [String]
        let type: DeclaredType
    }

    /// The target itself.
    private(set) var own: ModuleTypes
    private let others: [String: ModuleTypes]
    /// The modules that each file of the target imports.
    private let imports: [String: Set<String>]
    /// The names of known types that modules which the target imports have for others.
    let sharedNames: Set<String>
    /// The modules whose types are looked at first; nil for all.
    private var imported: Set<String>?

    init(
        own: ModuleTypes, others: [ModuleTypes], imports: [String: Set<String>] = [:], sharedNames: Set<String> = []
    ) {
        self.own = own
        self.others = Dictionary(others.map { ($0.module, $0) }, uniquingKeysWith: { first, _ in first })
        self.imports = imports
        self.sharedNames = sharedNames
    }

    /// The types as the code of one file of the target sees them.
    func seen(from file: String) -> TypeIndex {
        var index = self
        index.own = own.seen(from: file) ?? own
        index.imported = imports[file]
        return index
    }

    func module(named name: String) -> ModuleTypes? { name == own.module ? own : others[name] }

    /// The type of a name, as seen from inside of some types of a module, from the inside out.
    func find(_ name: String, from enclosing: [[String]], in module: ModuleTypes) -> Declaration? {
        for path in enclosing + [[]] {
            if let found = member(name, of: path, in: module) { return found }
        }
        if module.module != own.module, let found = member(name, of: [], in: own) { return found }
        if let imported, module.module == own.module {
            for other in imported.sorted() {
                if let found = others[other].flatMap({ member(name, of: [], in: $0) }) { return found }
            }
            // A type of a module that the file doesn't import may still be seen through one that exports it, but doesn't hide a known one.
            if KnownTypes.isKnown(name) { return nil }
        }
        return others.values.lazy.compactMap { member(name, of: [], in: $0) }.first
    }

    /// The type of a name that is declared in a type, or in one that the type inherits from.
    func member(_ name: String, of path: [String], in module: ModuleTypes) -> Declaration? {
        var declaration: Declaration?
        var owner = path
        for _ in 0..<Self.maximumInheritanceDepth {
            if let type = module[owner + [name]] {
                declaration = Declaration(module: module, path: owner + [name], type: type)
                break
            }
            guard let ancestor = module[owner]?.inherited.first else { break }
            owner = ModuleTypes.path(writtenAs: ancestor, in: module.module)
        }
        return declaration
    }

    /// Whether a class inherits from `NSManagedObject`, as far as the sources tell.
    func isManagedObject(_ path: [String], in module: ModuleTypes) -> Bool {
        inherits(path, from: "NSManagedObject", in: module)
    }

    /// Whether a class inherits from one of the framework's, as far as the sources tell.
    func inherits(_ path: [String], from name: String, in module: ModuleTypes) -> Bool {
        let ancestry = ancestry(of: path, in: module)
        // A target of the package that declares the class sees its declaration as well.
        if ancestry.dropFirst().contains(where: { $0.path == [name] }) { return true }
        guard let root = ancestry.last, let superclass = root.type.inherited.first else { return false }
        return ModuleTypes.path(writtenAs: superclass, in: root.module.module).last == name
    }

    /// A class and those that it inherits from, as far as the sources tell.
    func ancestry(of path: [String], in module: ModuleTypes) -> [Declaration] {
        var ancestry: [Declaration] = []
        var next = module[path].map { Declaration(module: module, path: path, type: $0) }
        while let current = next, ancestry.count < Self.maximumInheritanceDepth {
            ancestry.append(current)
            next = current.type.inherited.first.flatMap { superclass in
                let names = ModuleTypes.path(writtenAs: superclass, in: current.module.module)
                let enclosing = current.module.enclosing(current.type.scope)
                guard let first = names.first else { return nil }
                return names.dropFirst().reduce(find(first, from: enclosing, in: current.module)) { owner, name in
                    owner.flatMap { member(name, of: $0.path, in: $0.module) }
                }
            }
        }
        return ancestry
    }

    /// Deep enough for any program; a class that inherits from itself doesn't compile anyway.
    private static let maximumInheritanceDepth = 64

    /// What the type is called in mangled names. Nil where something in its path is not declared here.
    func nominal(_ declaration: Declaration) -> NominalType? {
        var components: [NominalType.Component] = []
        var isInsidePrivate = false
        for end in 1...declaration.path.count {
            let path = Array(declaration.path.prefix(end))
            guard let type = declaration.module[path], let kind = type.kind else { return nil }
            var component = NominalType.Component(name: type.name, kind: kind)
            if type.access.isPrivate, !isInsidePrivate {
                component.discriminator = Self.discriminator(
                    file: type.scope.file, module: declaration.module.module)
                isInsidePrivate = true
            }
            components.append(component)
        }
        return NominalType(module: declaration.module.module, path: components)
    }

    /// How far a type can be seen, all that it is inside of considered.
    func access(_ declaration: Declaration) -> AccessLevel {
        (1...declaration.path.count).compactMap { declaration.module[Array(declaration.path.prefix($0))]?.access }
            .min() ?? .internal
    }

    /// What tells private declarations apart that are in different files of a module.
    static func discriminator(file: String, module: String) -> String {
        "_" + MD5.hexDigest(of: module + (file as NSString).lastPathComponent)
    }
}
