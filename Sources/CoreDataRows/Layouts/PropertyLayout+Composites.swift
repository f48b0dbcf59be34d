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

    /// Whether it is a composite attribute with an element, at any depth, that is archived.
    package var storesTransformables: Bool {
        elements.contains { $0.kind == .transformable || $0.storesTransformables }
    }

    /// A composite attribute's value with each transformable element as something else makes it; an element for which that is nil
    /// is left out.
    package func mappingTransformables(
        in values: [String: Any], _ transform: (PropertyLayout, Any) throws -> Any?
    ) rethrows -> [String: Any] {
        guard storesTransformables else { return values }
        var values = values
        for element in elements {
            guard let value = values[element.name] else { continue }
            if element.kind == .transformable {
                values[element.name] = try transform(element, value)
            } else if let nested = value as? [String: Any] {
                values[element.name] = try element.mappingTransformables(in: nested, transform)
            }
        }
        return values
    }
}
