import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// What a mapping model says about turning the objects of one model into those of another.
///
/// A plain value, for `.cdm` files and `.xcmappingmodel` bundles alike. The classes of Apple's API are made from it
/// by the storey above.
package struct MappingModelDescription {
    /// The mappings in their order of execution.
    package var entityMappings: [EntityMappingDescription]
    /// Whether it comes from an `.xcmappingmodel`, which leaves out what follows from the models.
    package var isSource: Bool
    /// The path of the source model, relative to the project, in `.xcmappingmodel` bundles.
    package var sourceModelPath: String?
    /// The path of the destination model, relative to the project, in `.xcmappingmodel` bundles.
    package var destinationModelPath: String?

    package init(
        entityMappings: [EntityMappingDescription], isSource: Bool = false, sourceModelPath: String? = nil,
        destinationModelPath: String? = nil
    ) {
        self.entityMappings = entityMappings
        self.isSource = isSource
        self.sourceModelPath = sourceModelPath
        self.destinationModelPath = destinationModelPath
    }

    /// The version of a model that a path such as `Notes.xcdatamodeld/Notes 2.xcdatamodel` names.
    package static func versionName(in path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// The model that such a path names.
    package static func modelName(in path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().deletingPathExtension().lastPathComponent
    }
}

/// How the objects of one entity are made.
package struct EntityMappingDescription {
    /// What a mapping does, with the numbers of compiled mapping models (as `NSEntityMappingType`).
    package enum Kind: Int {
        case undefined = 0
        case custom = 1
        case add = 2
        case remove = 3
        case copy = 4
        case transform = 5
    }

    /// The name by which other mappings refer to this one.
    package var name: String
    package var kind: Kind
    package var sourceEntityName: String?
    package var destinationEntityName: String?
    package var sourceEntityVersionHash: Data?
    package var destinationEntityVersionHash: Data?
    /// What gives the source objects; nil for mappings that add an entity.
    package var sourceExpression: MappingExpression?
    /// What source objects have to fulfil, as text, where an `.xcmappingmodel` has a filter.
    package var sourceFilter: String?
    package var attributeMappings: [PropertyMappingDescription] = []
    package var relationshipMappings: [PropertyMappingDescription] = []
    /// The class that carries the mapping out; nil for the default one.
    package var migrationPolicyClassName: String?
    package var userInfo: [AnyHashable: Any] = [:]
}

/// How the value of one property is made.
package struct PropertyMappingDescription {
    /// The property of the destination entity.
    package var name: String
    /// What gives the value; nil where nothing is to be set.
    package var valueExpression: MappingExpression?
    package var userInfo: [AnyHashable: Any] = [:]
}

/// An expression of a mapping: Foundation's, or Core Data's own kind that runs a fetch request.
package indirect enum MappingExpression {
    case expression(NSExpression)
    /// `FETCH(request, context, countOnly)`.
    case fetch(request: NSExpression, context: NSExpression, countOnly: Bool)
}
