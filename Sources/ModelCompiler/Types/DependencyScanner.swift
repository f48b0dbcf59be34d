import SwiftSyntax

/// Scans those files of other modules that declare what a target's `@NSManaged` members are made of.
struct DependencyScanner {
    /// A type of a type of a type in another module: as far as anyone goes.
    private static let maximumRounds = 8

    /// A source of another module, and the names of the types that it declares.
    private struct Candidate {
        let module: String
        let source: SourceText
        let names: Set<String>
    }

    private let own: ModuleTypes
    private let files: [ScannedFile]
    private let candidates: [Candidate]

    /// - Parameter dependencies: the files of other modules, by module.
    init(own: ModuleTypes, files: [ScannedFile], dependencies: [String: [SourceText]]) {
        self.own = own
        self.files = files
        guard !files.isEmpty else {
            candidates = []
            return
        }
        candidates = dependencies.flatMap { module, sources in
            sources.map { Candidate(module: module, source: $0, names: DeclaredNames.all(in: $0.text)) }
        }
    }

    /// The types of the modules, as far as they are needed.
    func scan() -> [ModuleTypes] {
        var scanned: [String: [ScannedFile]] = [:]
        var remaining = candidates
        var known: Set<String> = []
        var wanted = Set(files.flatMap(Self.names)).filter { !own.declares($0) && KnownTypes.type(named: $0) == nil }
        for _ in 0..<Self.maximumRounds {
            wanted.subtract(known)
            guard !wanted.isEmpty else { break }
            known.formUnion(wanted)
            let firstChosen = remaining.partition { !$0.names.isDisjoint(with: wanted) }
            let chosen = Array(remaining[firstChosen...])
            remaining.removeSubrange(firstChosen...)
            let found = SourceScanner.scan(chosen.map(\.source))
            for (candidate, file) in zip(chosen, found) { scanned[candidate.module, default: []].append(file) }
            wanted = Set(found.flatMap(Self.names)).filter { KnownTypes.type(named: $0) == nil }
        }
        return scanned.map { ModuleTypes(module: $0, files: $1) }
    }

    /// The names of known types that the target uses, and that modules which it imports declare as well.
    func sharedNames() -> Set<String> {
        let used = Set(files.flatMap(Self.names)).filter(KnownTypes.isKnown)
        let imported = Set(files.flatMap(\.imports).map(\.name)).subtracting(KnownTypes.modules)
        return candidates.filter { imported.contains($0.module) }.reduce(into: []) {
            $0.formUnion(used.intersection($1.names))
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
