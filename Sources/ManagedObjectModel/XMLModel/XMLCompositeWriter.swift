import Foundation

/// Collects the composite types of a model, which XML defines beside the entities.
///
/// Compiled models do not hold the names of composite types: they are made from the attributes' names.
struct XMLCompositeWriter {
    private var named: [(name: String, composite: NSCompositeAttributeDescription)] = []
    private(set) var elements: [XMLTree] = []

    /// The name of the type of an attribute. Attributes with equal elements share a type.
    mutating func name(for attribute: NSCompositeAttributeDescription) throws -> String {
        let sorted = attribute.elements.sortedByName()
        if let known = named.first(where: { $0.composite.elements.sortedByName() == sorted }) { return known.name }
        let stem = attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
        var name = String(stem)
        var number = 1
        while named.contains(where: { $0.name == name }) {
            number += 1
            name = "\(stem)\(number)"
        }
        named.append((name, attribute))
        let element = XMLTree("composite", attributes: [("name", name)])
        elements.append(element)
        for part in attribute.elements {
            element.children.append(try XMLAttributeWriter.element(for: part, composites: &self))
        }
        return name
    }
}
