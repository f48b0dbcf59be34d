import FoundationCompat

@_exported import class FoundationCompat.NSSortDescriptor

/// Sorts objects in memory as a store sorts rows.
enum ObjectSorting {
    static func sorted(_ objects: [NSManagedObject], by descriptors: [NSSortDescriptor]) -> [NSManagedObject] {
        objects.sorted { left, right in
            for descriptor in descriptors {
                switch descriptor.compare(left, to: right) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }
    }
}
