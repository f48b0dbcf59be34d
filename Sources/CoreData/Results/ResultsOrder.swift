import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSSortDescriptor

/// In what order objects come, and in which section.
struct ResultsOrder {
    let descriptors: [NSSortDescriptor]
    let sectionNameKeyPath: String?

    /// Whether the first object has to come before the second one; nil where they are equal.
    func precedes(_ first: NSManagedObject, _ second: NSManagedObject) -> Bool? {
        for descriptor in descriptors {
            switch descriptor.compare(first, to: second) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return nil
    }
}
