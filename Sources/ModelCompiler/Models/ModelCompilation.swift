import Foundation
import ManagedObjectModel

/// Compiles a `.xcdatamodeld` or `.xcdatamodel` to a `.momd` or `.mom`, as Xcode does at build time.
package enum ModelCompilation {
    /// Reads a source model, all versions of it, and checks and writes it compiled.
    ///
    /// - Parameters:
    ///   - source: the model that Xcode edits.
    ///   - destination: the compiled model; a `.mom` takes the one version of a `.xcdatamodel`.
    ///   - module: the module that the model says "current product module" of: a class name with a dot in front.
    /// - Returns: what is the matter with the model. Where that is an error, nothing was written.
    /// - Throws: a `CompilerDiagnostic` that names the file, entity and property, for what can't be read.
    package static func compile(
        _ source: URL, to destination: URL, module: String
    ) throws -> [CompilerDiagnostic] {
        do {
            let versions = try ModelFile.readVersions(source)
            let diagnostics = try check(versions, of: source)
            guard !diagnostics.contains(where: { $0.severity == .error }) else { return diagnostics }
            for model in versions.models.values { qualifyClassNames(of: model, module: module) }
            if destination.pathExtension == "mom" {
                try versions.current.archivedData().write(to: destination)
            } else {
                try versions.writeCompiled(to: destination)
            }
            return diagnostics
        } catch let error as ModelFileError {
            throw CompilerDiagnostic(error, file: source.path)
        }
    }

    /// The checks that Xcode makes too: all of the current version, and of the others what makes them unusable.
    private static func check(_ versions: ModelVersions, of source: URL) throws -> [CompilerDiagnostic] {
        let issues = ModelChecks.issues(in: versions)
        guard !issues.isEmpty else { return [] }
        let trees = try ModelFile.sourceTrees(source)
        return issues.sorted { $0.key < $1.key }.flatMap { version, issues in
            // Xcode 3's models have no lines.
            let tree = trees[version] ?? .init(root: XMLTree("model"), file: source)
            return issues.map { CompilerDiagnostic($0, in: tree) }
        }
    }

    private static func qualifyClassNames(of model: NSManagedObjectModel, module: String) {
        for entity in model.entities {
            guard let name = entity.managedObjectClassName, name.hasPrefix(".") else { continue }
            entity.managedObjectClassName = module + name
        }
    }
}
