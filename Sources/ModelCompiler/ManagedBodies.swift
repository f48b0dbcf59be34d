/// The bodies that a target's `@NSManaged` members lack, and the registration of its classes.
package struct ManagedBodies {
    /// A source file.
    package struct Source {
        package let path: String
        package let text: String

        package init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    private let module: String
    private let files: [ScannedFile]
    private let index: TypeIndex
    private let bodies: BodyFile

    /// Scans sources.
    ///
    /// - Parameters:
    ///   - module: the name of the target's module.
    ///   - sources: the target's own files, generated classes included.
    ///   - dependencies: the files of modules that the target uses, by module.
    package init(module: String, sources: [Source], dependencies: [String: [Source]] = [:]) {
        self.module = module
        files = sources.map { SourceScanner.scan($0.text, path: $0.path) }
        let others = dependencies.map { name, sources in
            ModuleTypes(module: name, files: sources.map { SourceScanner.scan($0.text, path: $0.path) })
        }
        index = TypeIndex(own: ModuleTypes(module: module, files: files), others: others)
        bodies = BodyFile(files, index: index)
    }

    /// What couldn't be done.
    package var diagnostics: [CompilerDiagnostic] { bodies.diagnostics }

    /// The symbols that the text defines.
    package var symbols: [String] { bodies.symbols }

    /// Swift source, which is to be compiled with the target.
    package var text: String {
        let managed = files.filter { !$0.managed.isEmpty }
        let imports = Set(managed.flatMap(\.imports)).subtracting(["CoreData", "Foundation", module]).sorted()
        let header = [GeneratedSource.header, "import CoreData", "import Foundation"] + imports.map { "import \($0)" }
        return (header + [""] + bodies.lines + registration.lines).joined(separator: "\n")
    }

    private var registration: RegistrationWriter {
        let spelling = TypeSpelling(own: index.own)
        var writer = RegistrationWriter()
        for declared in files.flatMap(\.types) {
            let path = index.own.path(of: declared.scope) + [declared.name]
            guard declared.kind == .class, let nominal = visibleManagedClass(path) else { continue }
            let names = Set([declared.name, declared.objectiveCName ?? declared.name]).sorted()
            writer.classes.append(
                .init(spelling: spelling.spell(nominal), names: names, conditions: declared.scope.conditions))
        }
        for property in files.flatMap(\.managed) where !property.access.isPrivate {
            guard case .property = property.form,
                let nominal = visibleManagedClass(index.own.path(of: property.scope))
            else { continue }
            writer.keyPaths.append(
                .init(
                    spelling: spelling.spell(nominal), property: property.name, conditions: property.scope.conditions))
        }
        return writer
    }

    /// The class at a path, where it is one of managed objects that another file can name.
    private func visibleManagedClass(_ path: [String]) -> NominalType? {
        guard let type = index.own[path], type.parameters.isEmpty, index.isManagedObject(path, in: index.own) else {
            return nil
        }
        let declaration = TypeIndex.Declaration(module: index.own, path: path, type: type)
        guard !index.access(declaration).isPrivate else { return nil }
        return index.nominal(declaration)
    }
}
