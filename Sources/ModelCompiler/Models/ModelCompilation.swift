import Foundation
import ManagedObjectModel

/// Compiles a `.xcdatamodeld` or `.xcdatamodel` to a `.momd` or `.mom`, as Xcode does at build time.
package enum ModelCompilation {
    /// Reads a source model, all versions of it, and writes it compiled.
    ///
    /// - Parameters:
    ///   - source: the model that Xcode edits.
    ///   - destination: the compiled model; a `.mom` takes the one version of a `.xcdatamodel`.
    ///   - module: the module that the model says "current product module" of: a class name with a dot in front.
    /// - Throws: a `CompilerDiagnostic` that names the file, entity and property.
    package static func compile(_ source: URL, to destination: URL, module: String) throws {
        do {
            let versions = try ModelFile.readVersions(source)
            for model in versions.models.values { qualifyClassNames(of: model, module: module) }
            if destination.pathExtension == "mom" {
                try versions.current.archivedData().write(to: destination)
            } else {
                try versions.writeCompiled(to: destination)
            }
        } catch let error as ModelFileError {
            throw CompilerDiagnostic(error, file: source.path)
        }
    }

    private static func qualifyClassNames(of model: NSManagedObjectModel, module: String) {
        for entity in model.entities {
            guard let name = entity.managedObjectClassName, name.hasPrefix(".") else { continue }
            entity.managedObjectClassName = module + name
        }
    }
}
