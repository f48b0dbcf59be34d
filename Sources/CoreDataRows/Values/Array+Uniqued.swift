extension Array where Element: Hashable {
    /// The elements in order, each once.
    @inlinable
    package func uniqued() -> [Element] {
        if count < 2 { return self }
        var seen = Set<Element>(minimumCapacity: count)
        return filter { seen.insert($0).inserted }
    }
}
