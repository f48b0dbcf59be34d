import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// Turns what mapping model files say into mappings.
enum MappingModelFile {
    /// The largest known file has a hundred kilobytes.
    private static let maximumSize = 64 << 20

    /// - Throws: a `ModelFileError` that names the file.
    static func read(_ url: URL) throws -> MappingModelDescription {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), isDirectory.boolValue {
            return try SourceMappingReader.read(url)
        }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
            guard (size?.intValue ?? 0) <= maximumSize else {
                throw ModelFileError(.tooLarge, "no mapping model is that large", in: url)
            }
            let data = try RegularFile.contents(of: url)
            return data.starts(with: Data("bplist".utf8))
                ? try CompiledMappingReader.read(data) : try SourceMappingReader.read(data: data)
        } catch let error as ModelFileError {
            throw error.located(in: url)
        } catch {
            throw ModelFileError(.unreadable, "the file can't be read: \(error.localizedDescription)", in: url)
        }
    }

    /// The mappings of the file among the bundles' resources that is for these models: the first one that speaks of all
    /// entities, or else the first one.
    ///
    /// - Throws: `NSMigrationMissingMappingModelError` where none speaks of all entities, and a file that can't be read may be
    ///   the one: what it says, policies of the program's own included, must not be passed over.
    static func find(
        in bundles: [Bundle], from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) throws -> [NSEntityMapping]? {
        let completion = MappingCompletion(from: source, to: destination)
        var partial: MappingModelDescription?
        var unreadable: [ModelFileError] = []
        let ends = SourceMappingEnds(source: source, destination: destination, bundles: bundles)
        for file in mappingFiles(in: bundles) {
            do {
                let description = try read(file)
                guard completion.fits(description), ends.fit(description) else { continue }
                let completed = try completion.completed(description)
                if completion.coversAll(completed) { return entityMappings(completed) }
                partial = partial ?? completed
            } catch let error as ModelFileError {
                // One that has been removed since the folder was read is meant for nothing.
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                if completion.mayFit(fileAt: file) { unreadable.append(error.located(in: file)) }
            }
        }
        // It may be the whole one.
        guard let first = unreadable.first else { return partial.map(entityMappings) }
        throw MigrationError.make(
            "A mapping model that may be meant for this migration can't be read. Mend it, or take it out of the program.\n"
                + unreadable.map { "  - \($0)" }.joined(separator: "\n"),
            code: NSMigrationMissingMappingModelError, [NSUnderlyingErrorKey: first])
    }

    /// Compiled mapping models, and sources that nothing was compiled of. A target that lists its sources among its resources has
    /// both, and only what is compiled has the version hashes.
    private static func mappingFiles(in bundles: [Bundle]) -> [URL] {
        func name(_ url: URL) -> String { url.deletingPathExtension().lastPathComponent }
        let compiled = ModelResource.urls(["cdm"], in: bundles)
        let names = Set(compiled.map(name))
        return compiled + ModelResource.urls(["xcmappingmodel"], in: bundles).filter { !names.contains(name($0)) }
    }

    static func entityMappings(_ description: MappingModelDescription) -> [NSEntityMapping] {
        description.entityMappings.map(mapping)
    }

    /// The mappings, completed from the models where Xcode leaves out what follows from them.
    ///
    /// - Throws: `NSMigrationMissingMappingModelError` that names an entity that the mapping isn't for.
    static func entityMappings(
        _ description: MappingModelDescription, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) throws -> [NSEntityMapping] {
        do {
            return entityMappings(try MappingCompletion(from: source, to: destination).completed(description))
        } catch {
            throw MigrationError.make(
                "The mapping model doesn't fit: \(error)", code: NSMigrationMissingMappingModelError,
                [NSUnderlyingErrorKey: error])
        }
    }

    // MARK: Parts

    private static func mapping(_ description: EntityMappingDescription) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = description.name
        mapping.mappingType =
            NSEntityMappingType(rawValue: UInt(description.kind.rawValue)) ?? .undefinedEntityMappingType
        mapping.sourceEntityName = description.sourceEntityName
        mapping.sourceEntityVersionHash = description.sourceEntityVersionHash
        mapping.destinationEntityName = description.destinationEntityName
        mapping.destinationEntityVersionHash = description.destinationEntityVersionHash
        mapping.attributeMappings = description.attributeMappings.map(propertyMapping)
        mapping.relationshipMappings = description.relationshipMappings.map(propertyMapping)
        mapping.sourceExpression = description.sourceExpression.map(expression)
        mapping.entityMigrationPolicyClassName = description.migrationPolicyClassName
        mapping.userInfo = description.userInfo
        return mapping
    }

    private static func propertyMapping(_ description: PropertyMappingDescription) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = description.name
        mapping.valueExpression = description.valueExpression.map(expression)
        mapping.userInfo = description.userInfo
        return mapping
    }

    private static func expression(_ expression: MappingExpression) -> NSExpression {
        switch expression {
        case .expression(let plain): plain
        case .fetch(let request, let context, let countOnly):
            NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: countOnly)
        }
    }
}

/// The two versions of a model that a source of a mapping model names by their files, for want of version hashes.
private struct SourceMappingEnds {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    let bundles: [Bundle]

    /// Whether a mapping model is for the two models, as far as the bundles have the versions that it names.
    func fit(_ description: MappingModelDescription) -> Bool {
        guard description.isSource else { return true }
        let catalog = ModelCatalog(bundles: bundles)
        func isNamed(_ model: NSManagedObjectModel, by path: String?) -> Bool {
            guard let path else { return true }
            let named = catalog.models(named: MappingModelDescription.versionName(in: path))
            return named.isEmpty || named.contains { $0.entityVersionHashesByName == model.entityVersionHashesByName }
        }
        return isNamed(source, by: description.sourceModelPath)
            && isNamed(destination, by: description.destinationModelPath)
    }
}
