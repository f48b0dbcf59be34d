import Foundation
import ManagedObjectModel

/// How the objects of one model are turned into those of another (Apple: NSMappingModel).
open class NSMappingModel: NSObject {
    /// The mappings in the order in which they are carried out.
    open var entityMappings: [NSEntityMapping]! = []

    /// The mappings by name.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(entityMappings.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Makes a mapping model without mappings.
    public override init() { super.init() }

    /// Reads a compiled mapping model (`.cdm`), or an `.xcmappingmodel` bundle; nil where that fails.
    /// ``read(contentsOf:from:to:)`` says why.
    public convenience init?(contentsOf url: URL?) {
        // Apple's initialiser answers nil; `MappingModelFile.read` says why.
        guard let url, let read = try? MappingModelFile.read(url) else { return nil }
        self.init()
        entityMappings = MappingModelFile.entityMappings(read)
    }

    /// Finds the mapping model for two models among the resources of bundles; those of the main bundle for nil.
    ///
    /// The resource bundles of the targets that the program consists of count as parts of the main bundle. The mapping model is
    /// one whose mappings name entities of these versions; of several, one that speaks of all entities. Nil where there is
    /// none. One that can't be read and may be meant is said on standard error.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        do {
            guard
                let found = try MappingModelFile.find(
                    in: ModelBundles.meant(by: bundles), from: sourceModel, to: destinationModel)
            else { return nil }
            self.init()
            entityMappings = found
        } catch {
            ModelWarning.write(error.localizedDescription)
            return nil
        }
    }

    /// The same for callers that report a mapping model which may be meant and can't be read.
    ///
    /// - Throws: `NSMigrationMissingMappingModelError` that names the file and says what is wrong with it.
    class func find(
        in bundles: [Bundle]?, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) throws -> NSMappingModel? {
        let mappings = try MappingModelFile.find(
            in: ModelBundles.meant(by: bundles), from: source, to: destination)
        return mappings.map { mappings in
            let model = NSMappingModel()
            model.entityMappings = mappings
            return model
        }
    }

    /// Reads a mapping model, compiled or Xcode's, for two models. An addition to Apple's API.
    ///
    /// - Throws: an error that says what is wrong with the file, or which entity it doesn't fit.
    public class func read(
        contentsOf url: URL, from sourceModel: NSManagedObjectModel, to destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        let model = NSMappingModel()
        model.entityMappings = try MappingModelFile.entityMappings(
            MappingModelFile.read(url), from: sourceModel, to: destinationModel)
        return model
    }

    /// Works a mapping out from two models, as lightweight migration does.
    ///
    /// - Throws: `NSInferredMappingModelError` (134190) that names the entities and properties that stand in the way.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        inferred(try MappingInference(from: sourceModel, to: destinationModel))
    }

    static func inferred(_ inference: MappingInference) -> NSMappingModel {
        let model = NSMappingModel()
        model.entityMappings = inference.entityMappings()
        model.isInferred = true
        return model
    }

    /// Two mapping models are equal that have equal mappings in the same order, wherever they were read.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return self === other || entityMappings == other.entityMappings
    }

    /// A hash that equal objects share.
    open override var hash: Int { entityMappings.count }

    /// Whether the mappings were inferred from the two models alone, so that a store may migrate in its own way.
    package private(set) var isInferred = false
}
