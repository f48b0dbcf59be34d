import Foundation
import ManagedObjectModel

/// Compiles an `.xcmappingmodel` to a `.cdm`, as Xcode does at build time.
package enum MappingCompilation {
    /// Reads a mapping model, completes it from the two versions of models that it is between, and writes it compiled.
    ///
    /// - Parameter models: the target's source models, among whose versions the two are.
    /// - Throws: a `CompilerDiagnostic` that names the file and mapping.
    package static func compile(_ source: URL, models: [URL], to destination: URL) throws {
        do {
            let description = try SourceMappingReader.read(source)
            let versions = try models.flatMap { url in
                try ModelFile.readVersions(url).models.map { (name: $0.key, model: $0.value) }
            }
            let from = try version(description.sourceModelPath, in: versions)
            let to = try version(description.destinationModelPath, in: versions)
            let completed = try MappingCompletion(from: from, to: to).completed(description)
            try CompiledMappingWriter.data(for: completed).write(to: destination)
        } catch let error as ModelFileError {
            throw CompilerDiagnostic(error, file: source.path)
        }
    }

    /// The version that a path names.
    private static func version(
        _ path: String?, in versions: [(name: String, model: NSManagedObjectModel)]
    ) throws -> NSManagedObjectModel {
        guard let path else { throw ModelFileError(.malformed, "it doesn't say which models it is between") }
        let name = MappingModelDescription.versionName(in: path)
        guard let model = versions.first(where: { $0.name == name })?.model else {
            let known = versions.map(\.name).sorted().joined(separator: ", ")
            throw ModelFileError(
                .malformed, "the target has no version \"\(name)\" of a model; the versions are: \(known)")
        }
        return model
    }
}
