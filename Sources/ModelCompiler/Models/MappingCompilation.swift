import Foundation
import ManagedObjectModel

/// Compiles an `.xcmappingmodel` to a `.cdm`, as Xcode does at build time.
package enum MappingCompilation {
    /// Reads a mapping model, completes it from the two versions of models that it is between, and writes it compiled.
    ///
    /// - Parameter models: the target's source models, among whose versions the two are.
    /// - Returns: warnings, such as of a version that has another name by now.
    /// - Throws: a `CompilerDiagnostic` that names the file and mapping.
    package static func compile(_ source: URL, models: [URL], to destination: URL) throws -> [CompilerDiagnostic] {
        do {
            let description = try SourceMappingReader.read(source)
            let versions = try models.flatMap { url in
                let file = url.deletingPathExtension().lastPathComponent
                return try ModelFile.readVersions(url).models.map { Version(name: $0.key, file: file, model: $0.value) }
            }
            let mappings = description.entityMappings
            let ends = try resolve(
                End(path: description.sourceModelPath, entities: mappings.map { ($0.sourceEntityName, []) }),
                End(
                    path: description.destinationModelPath,
                    entities: mappings.map { mapping in
                        let properties = mapping.attributeMappings + mapping.relationshipMappings
                        return (mapping.destinationEntityName, properties.map(\.name))
                    }), in: versions)
            let (from, to) = (ends.source, ends.destination)
            let warnings = ends.warnings.map { CompilerDiagnostic(.warning, $0, file: source.path) }
            let completed = try MappingCompletion(from: from, to: to).completed(description)
            try CompiledMappingWriter.data(for: completed).write(to: destination)
            return warnings
        } catch let error as ModelFileError {
            throw CompilerDiagnostic(error, file: source.path)
        }
    }

    private struct Version {
        let name: String
        /// The name of the file that has the version, without its extension.
        let file: String
        let model: NSManagedObjectModel
    }

    /// A version that a mapping names by its path, with what it says of its entities and their properties.
    private struct End {
        let path: String?
        let entities: [(name: String?, properties: [String])]

        func fits(_ model: NSManagedObjectModel) -> Bool {
            entities.allSatisfy { entity in
                guard let name = entity.name else { return true }
                guard let properties = model.entitiesByName[name]?.propertiesByName else { return false }
                return entity.properties.allSatisfy { properties[$0] != nil }
            }
        }
    }

    /// The two versions. One that was renamed after the mapping was made is known by its entities, where no other fits, and a
    /// warning says so: Xcode builds such mappings (seen in Apple's CareKit).
    private static func resolve(
        _ source: End, _ destination: End, in versions: [Version]
    ) throws -> (source: NSManagedObjectModel, destination: NSManagedObjectModel, warnings: [String]) {
        var warnings: [String] = []
        func version(_ end: End, other: End) throws -> NSManagedObjectModel {
            guard let path = end.path else {
                throw ModelFileError(.malformed, "it doesn't say which models it is between")
            }
            let name = MappingModelDescription.versionName(in: path)
            let named = versions.filter { $0.name == name }
            // Several models of a target may have versions of one name.
            let file = MappingModelDescription.modelName(in: path)
            let found = named.first { $0.file == file } ?? named.first { end.fits($0.model) } ?? named.first
            if let found { return found.model }
            let otherName = other.path.map(MappingModelDescription.versionName)
            let fitting = versions.filter { $0.name != otherName && end.fits($0.model) }
            let known = versions.map(\.name).sorted().joined(separator: ", ")
            let unknown = "the target has no version \"\(name)\" of a model; the versions are: \(known)"
            guard fitting.count == 1 else { throw ModelFileError(.malformed, unknown) }
            warnings.append("\(unknown). \"\(fitting[0].name)\" is taken, the only one whose entities fit")
            return fitting[0].model
        }
        let from = try version(source, other: destination)
        return (from, try version(destination, other: source), warnings)
    }
}
