extension Sequence where Element: NSPropertyDescription {
    /// The properties by name in byte order, as version hashes want them.
    package func sortedByName() -> [Element] {
        sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension NSPropertyDescription {
    /// A copy with the type of the original.
    package final func copied() -> Self {
        // `copy(with:)` makes an instance of the receiver's own class, so the cast holds.
        copy(with: nil) as! Self
    }
}
