import Foundation
import ManagedObjectModel

/// Writes the head of an XML store: its identity and its metadata.
enum XMLStoreInfoWriter {
    /// The element `databaseInfo` with its indentation and line feed.
    ///
    /// - Throws: an error when metadata holds what a property list can't.
    static func write(_ metadata: [String: Any]?, lastReference: Int64) throws -> String {
        var list = metadata ?? [:]
        let identifier = list.removeValue(forKey: NSStoreUUIDKey) as? String ?? UUID().uuidString
        list[NSStoreTypeKey] = nil
        var text = """
                <databaseInfo>
                    <version>\(XMLStoreDocument.version)</version>
                    <UUID>\(escaped(identifier))</UUID>
                    <nextObjectID>\(lastReference)</nextObjectID>
                    <metadata>
                        <plist version="1.0">

            """
        write(try MetadataPropertyList.node(of: list), depth: 0, to: &text)
        text += """
                        </plist>
                    </metadata>
                </databaseInfo>

            """
        return text
    }

    /// - Parameter depth: how deep the value is in the property list, which is where data counts its tabs from.
    private static func write(_ node: PropertyListNode, depth: Int, to text: inout String) {
        let indentation = String(repeating: "    ", count: depth + 4)
        switch node {
        case .boolean(let value): text += "\(indentation)<\(value)></\(value)>\n"
        case .integer(let value), .uid(let value): text += "\(indentation)<integer>\(value)</integer>\n"
        case .unsigned(let value): text += "\(indentation)<integer>\(value)</integer>\n"
        case .real(let value): text += "\(indentation)<real>\(value)</real>\n"
        case .date(let value): text += "\(indentation)<date>\(XMLPropertyListDate.text(of: value))</date>\n"
        case .string(let value): text += "\(indentation)<string>\(escaped(value))</string>\n"
        case .data(let value):
            let tabs = String(repeating: "\t", count: depth)
            text += "\(indentation)<data>\n"
            for line in lines(value.base64EncodedString(), width: max(16, 76 - 8 * depth)) {
                text += "\(tabs)\(line)\n"
            }
            text += "\(tabs)</data>\n"
        case .array(let members):
            text += "\(indentation)<array>"
            if !members.isEmpty {
                text += "\n"
                for member in members { write(member, depth: depth + 1, to: &text) }
                text += indentation
            }
            text += "</array>\n"
        case .dictionary(let entries):
            text += "\(indentation)<dict>"
            if !entries.isEmpty {
                text += "\n"
                for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                    text += "\(indentation)    <key>\(escaped(key))</key>\n"
                    write(value, depth: depth + 1, to: &text)
                }
                text += indentation
            }
            text += "</dict>\n"
        }
    }

    private static func lines(_ text: String, width: Int) -> [Substring] {
        var rest = text[...]
        var lines: [Substring] = []
        while !rest.isEmpty {
            lines.append(rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return lines
    }

    /// Property lists are escaped as XML is, unlike the objects.
    private static func escaped(_ text: String) -> String {
        XMLEscapes.escaped(text) { $0 == "\r" ? "&#13;" : nil }
    }
}
