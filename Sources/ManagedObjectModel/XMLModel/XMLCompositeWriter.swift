import Foundation

/// Collects the composite types of a model, which XML defines beside the entities.
///
/// Compiled models do not hold the names of composite types: they are made from the attributes' names.
struct XMLCompositeWriter {
    private var named: [(name: String, composite: NSCompositeAttributeDescription)] = []

    /// The definitions, in the order in which they were first used.
    private(set) var elements: [XMLTree] = []

    /// The name of the type of an attribute. Attributes with equal elements share a type.
    static func name(for attribute: NSCompositeAttributeDescription, context: XMLWritingContext) -> String {
        let sorted = attribute.elements.sortedByName()
        let named = context.composites.named
        if let known = named.first(where: { $0.composite.elements.sortedByName() == sorted }) { return known.name }
        let stem = attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
        var name = stem
        var number = 1
        while named.contains(where: { $0.name == name }) {
            number += 1
            name = "\(stem)\(number)"
        }
        let element = XMLTree("composite", attributes: [("name", name)])
        context.composites.named.append((name, attribute))
        context.composites.elements.append(element)
        // Elements may be composites themselves, which are then defined after this one.
        element.children = attribute.elements.map { XMLAttributeWriter.element(for: $0, context: context) }
        return name
    }
}
