import Foundation

/// The one place where names and texts that come from models and files become parts of SQL.
///
/// Core Data's own names are letters, digits and underscores behind a `Z`, and stand in its statements without quotes. A name of
/// a model with anything else in it, which the model editor doesn't allow but a program or a hostile file may make, is spelled in
/// such letters too, so that whatever is put together from it is one identifier and never more.
package enum SQLIdentifier {
    /// A name of a model as a part of an identifier: what is neither a letter, a digit nor an underscore is spelled by its number.
    package static func part(_ name: String) -> String {
        if name.utf8.allSatisfy(isPlain) { return name }
        return name.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.value >= 0x80 || isPlain(UInt8(scalar.value)) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "$" + String(format: "%02X", scalar.value)
            }
        }
    }

    /// An identifier as it stands in a statement: in quotes where SQLite could read it as something else, as names that are
    /// taken from a file may have to be.
    package static func quoted(_ name: String) -> String {
        let needsNoQuotes = name.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return needsNoQuotes ? name : inQuotes(name)
    }

    /// An identifier in quotes, whatever is in it.
    static func inQuotes(_ name: String) -> String { between(UInt8(ascii: "\""), name) }

    /// A text between two quotes, with those inside it doubled: by bytes, since to Swift a quote with a combining mark behind it is
    /// another character, while a database ends the text there.
    static func between(_ quote: UInt8, _ text: String) -> String {
        var bytes: [UInt8] = [quote]
        bytes.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text as it stands in a statement.
    package static func literal(_ text: String) -> String {
        // A literal ends at a NUL, so such a text is put together from its bytes.
        text.utf8.contains(0)
            ? "CAST(\(literal(Data(text.utf8))) AS TEXT)" : between(UInt8(ascii: "'"), text)
    }

    /// Bytes as they stand in a statement.
    package static func literal(_ data: Data) -> String {
        "X'" + data.map { String(format: "%02X", $0) }.joined() + "'"
    }

    /// What SQLite takes for a part of an identifier without quotes: all of UTF-8 beyond ASCII is, and so is the sign by which
    /// other letters are spelled.
    package static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
