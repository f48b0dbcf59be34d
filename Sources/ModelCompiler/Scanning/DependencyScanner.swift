import SwiftSyntax

/// Scans those files of other modules that declare what a target's `@NSManaged` members are made of.
struct DependencyScanner {
    /// A type of a type of a type in another module: as far as anyone goes.
    private static let maximumRounds = 8

    let own: ModuleTypes
    let files: [ScannedFile]

    /// The types of the modules, as far as they are needed.
    func scan(_ dependencies: [String: [ManagedBodies.Source]]) -> [ModuleTypes] {
        var scanned: [String: [String: ScannedFile]] = [:]
        var known: Set<String> = []
        var wanted = Set(files.flatMap(Self.names)).filter { !own.declares($0) && KnownTypes.type(named: $0) == nil }
        for _ in 0..<Self.maximumRounds {
            wanted.subtract(known)
            guard !wanted.isEmpty else { break }
            known.formUnion(wanted)
            var found: [ScannedFile] = []
            for (module, sources) in dependencies {
                for source in sources where scanned[module]?[source.path] == nil {
                    guard wanted.contains(where: { source.text.contains($0) }) else { continue }
                    let file = SourceScanner.scan(source.text, path: source.path)
                    scanned[module, default: [:]][source.path] = file
                    found.append(file)
                }
            }
            wanted = Set(found.flatMap(Self.names)).filter { KnownTypes.type(named: $0) == nil }
        }
        return scanned.map { module, files in ModuleTypes(module: module, files: Array(files.values)) }
    }

    /// The names of known types that the target uses, and that modules which it imports declare as well.
    func sharedNames(with dependencies: [String: [ManagedBodies.Source]]) -> Set<String> {
        let used = Set(files.flatMap(Self.names)).filter(KnownTypes.isKnown)
        let imported = Set(files.flatMap(\.imports).map(\.name)).subtracting(KnownTypes.modules)
        let texts = dependencies.filter { imported.contains($0.key) }.flatMap(\.value).map(\.text)
        return used.filter { name in
            let declarations = ["struct", "class", "enum", "actor", "protocol", "typealias"].map { "\($0) \(name)" }
            return texts.contains { text in text.contains(name) && declarations.contains(where: text.contains) }
        }
    }

    /// The names of types that a file's declarations depend on.
    private static func names(in file: ScannedFile) -> [String] {
        var types = file.types.flatMap { type -> [TypeSyntax] in
            if case .alias(let target) = type.form { return type.inherited + [target] }
            return Array(type.inherited.prefix(1))
        }
        for declaration in file.managed {
            switch declaration.form {
            case .property(let type): types.append(type)
            case .method(let parameters, let result): types += parameters.map(\.type) + [result].compactMap { $0 }
            }
            if case .extension(let extended, _, _, _)? = declaration.scope.levels.first { types.append(extended) }
        }
        return types.flatMap { type in
            type.tokens(viewMode: .sourceAccurate).compactMap { token in
                if case .identifier = token.tokenKind { token.plainName } else { nil }
            }
        }
    }
}
