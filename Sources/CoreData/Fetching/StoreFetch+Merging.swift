import FoundationCompat

extension StoreFetch {
    /// Merged results in the order that was asked for, within offset and limit.
    func sortedAndPaged(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard let sortDescriptors, !sortDescriptors.isEmpty else { return paged(objects) }
        return paged(objects.sorted(using: sortDescriptors))
    }
}
