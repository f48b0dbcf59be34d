import Foundation
import FoundationCompat

/// Decodes fetch requests from keyed archives.
enum ArchivedFetchRequests {
    /// The entity is known by name only; the model connects it.
    static func request(_ object: ArchivedObject) throws -> NSFetchRequest<NSFetchRequestResult> {
        guard object.className == "NSFetchRequest" else {
            throw ModelFileError(.malformed, "a fetch request has the class \(object.className)")
        }
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.state.entityName = try object.object("NSEntity")?.string("NSEntityName")
        request.predicate = try object.object("NSPredicate").map { try PredicateArchiveReader.predicate($0) }
        request.havingPredicate = try object.object("NSHavingPredicate").map {
            try PredicateArchiveReader.predicate($0)
        }
        if try object.members("NSSortDescriptors") != nil {
            request.sortDescriptors = try object.objects("NSSortDescriptors").map(PredicateArchiveReader.sortDescriptor)
        }
        request.fetchLimit = try object.integer("NSFetchLimit")
        request.fetchOffset = try object.integer("NSFetchOffset")
        request.fetchBatchSize = try object.integer("NSBatchSize")
        request.resultType = NSFetchRequestResultType(
            rawValue: UInt(truncatingIfNeeded: try object.integer("NSResultType")))
        if try object.boolean("NSHasFetchRequestFlags") {
            FetchRequestFlags(rawValue: try object.integer("NSFetchRequestFlags")).apply(to: request)
        }
        if try object.members("NSRelationshipKeyPathsForPrefetching") != nil {
            request.relationshipKeyPathsForPrefetching = try object.strings("NSRelationshipKeyPathsForPrefetching")
        }
        request.propertiesToFetch = try properties(object, "NSValuesToFetch")
        request.propertiesToGroupBy = try properties(object, "NSValuesToGroupBy")
        return request
    }

    private static func properties(_ object: ArchivedObject, _ key: String) throws -> [Any]? {
        try object.members(key)?.compactMap { member -> Any? in
            if let text = try ValueArchiveReader.value(member, in: object.archive) as? String { return text }
            guard let property = try object.archive.object(at: member, in: key) else { return nil }
            if property.className == "NSExpressionDescription" { return try PropertyArchiveReader().property(property) }
            return try property.requiredString("NSPropertyName")
        }
    }
}
