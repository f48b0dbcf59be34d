/// Writes XML the way Xcode does: four blanks a level, empty elements closed in their start tag.
package enum XMLTreeWriter {
    /// The document with its declaration.
    package static func write(_ root: XMLTree) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        write(root, indentation: "", to: &text)
        return text
    }

    private static func write(_ element: XMLTree, indentation: String, to text: inout String) {
        text += "\(indentation)<\(element.name)"
        for attribute in element.attributes { text += " \(attribute.name)=\"\(escape(attribute.value))\"" }
        guard !element.children.isEmpty || !element.text.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">" + escape(element.text)
        if !element.children.isEmpty {
            text += "\n"
            for child in element.children { write(child, indentation: indentation + "    ", to: &text) }
            text += indentation
        }
        text += "</\(element.name)>\n"
    }

    private static func escape(_ text: String) -> String {
        XMLEscapes.escaped(text) { scalar in
            switch scalar {
            case "\"": "&quot;"
            case "\n", "\r", "\t": "&#\(scalar.value);"
            default: nil
            }
        }
    }
}
