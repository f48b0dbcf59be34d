import CoreData
import Foundation
import FoundationCompat

import class FoundationCompat.NSSortDescriptor

/// What a fetch has to give, evaluated object by object.
package enum ExpectedResults {
    package static func of(
        _ request: NSFetchRequest<NSManagedObject>, among objects: [NSManagedObject]
    ) throws -> [NSManagedObject] {
        var result = try objects.filter { try request.predicate?.checkedEvaluate(with: $0) ?? true }
        if let descriptors = request.sortDescriptors, !descriptors.isEmpty {
            result = result.sorted(using: descriptors)
        }
        result = Array(result.dropFirst(request.fetchOffset))
        return request.fetchLimit > 0 ? Array(result.prefix(request.fetchLimit)) : result
    }

    /// Whether both are the same objects in an order that the request allows. Without an order a page may be any part.
    package static func allow(
        _ found: [NSManagedObject], insteadOf expected: [NSManagedObject], _ request: NSFetchRequest<NSManagedObject>
    ) -> Bool {
        guard found.count == expected.count, Set(found).count == found.count else { return false }
        let descriptors = request.sortDescriptors ?? []
        let isPaged = request.fetchLimit > 0 || request.fetchOffset > 0
        if !isPaged, Set(found) != Set(expected) { return false }
        return zip(found, expected).allSatisfy { found, expected in
            descriptors.allSatisfy { $0.compare(found, to: expected) == .orderedSame }
        }
    }
}
