/// An element of an XML document with everything in it.
package final class XMLTree {
    package let name: String
    /// The attributes in the order of the document.
    package private(set) var attributes: [(name: String, value: String)]
    package var children: [XMLTree] = []
    /// The character data that is directly in the element.
    package var text = ""
    /// Where the start tag is, for an element that was read.
    package let position: TextPosition?

    package init(_ name: String, attributes: [(name: String, value: String)] = [], position: TextPosition? = nil) {
        self.name = name
        self.attributes = attributes
        self.position = position
    }

    /// The value of an attribute. Proportional to the number of attributes, of which there are few.
    package subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The elements of that name directly in this one.
    package func children(named name: String) -> [XMLTree] {
        children.filter { $0.name == name }
    }

    /// Adds an attribute unless the value is nil.
    package func set(_ name: String, _ value: String?) {
        if let value { attributes.append((name, value)) }
    }

    /// Adds an attribute that says YES where the flag is true.
    package func set(_ name: String, _ flag: Bool) {
        if flag { attributes.append((name, "YES")) }
    }
}
