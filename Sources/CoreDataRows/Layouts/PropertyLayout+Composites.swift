/// How composite attributes lie in rows: each element that isn't one itself has a slot of its own, which ``EntityLayout`` reserves.
extension PropertyLayout {
    /// The property itself if a row holds it, or the elements of a composite attribute.
    package var storedLeaves: [PropertyLayout] {
        elements.isEmpty ? (rowSlot >= 0 ? [self] : []) : elements.flatMap(\.storedLeaves)
    }

    /// A composite attribute's value: those of its elements by their names; nil where none has one.
    package func composed(_ value: (PropertyLayout) -> Any?) -> [String: Any]? {
        var values: [String: Any] = [:]
        for element in elements {
            values[element.name] = element.kind == .composite ? element.composed(value) : value(element)
        }
        return values.isEmpty ? nil : values
    }
}
