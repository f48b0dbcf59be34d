extension EntityLayout {
    /// The properties that this entity declares and no superentity does, sorted by name.
    package var ownProperties: ArraySlice<PropertyLayout> {
        properties.dropFirst(superlayout?.properties.count ?? 0)
    }
}
