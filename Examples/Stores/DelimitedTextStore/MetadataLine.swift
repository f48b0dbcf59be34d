import Foundation

/// A line with an entry of the metadata: `#key:text`, or `#key::` and an XML property list of one value in Base64.
enum MetadataLine {
    static func text(_ key: String, _ value: Any) throws -> String {
        if let text = value as? String { return "#\(TextEscapes.escaped(key)):\(TextEscapes.escaped(text))" }
        let list = try PropertyListSerialization.data(fromPropertyList: [value], format: .xml, options: 0)
        return "#\(TextEscapes.escaped(key))::\(list.base64EncodedString())"
    }

    static func read(_ line: DelimitedLine) throws -> (key: String, value: Any) {
        let fields = line.fields(from: 1, separator: ":")
        let key = try TextEscapes.unescaped(fields[0])
        if fields.count == 2 { return (key, try TextEscapes.unescaped(fields[1])) }
        guard fields.count == 3, fields[1].text.isEmpty, let data = Data(base64Encoded: fields[2].text),
            // Foundation on Linux ends the program at damaged binary ones.
            !data.starts(with: Data("bplist".utf8)),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [Any], list.count == 1
        else { throw fields[0].error("this is no entry of the metadata") }
        return (key, list[0])
    }
}
