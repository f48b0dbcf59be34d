import Foundation

/// A line, and where it is.
struct DelimitedLine {
    let text: String
    let number: Int
    let url: URL

    init(_ text: String, number: Int, in url: URL) {
        self.text = text
        self.number = number
        self.url = url
    }

    /// Whether values have names: `Person::first:Robert`.
    var isNamed: Bool {
        let fields = fields(separator: ":")
        return fields.count > 1 && fields[1].text.isEmpty && !fields[0].text.contains(",")
    }

    /// The parts between separators, as they are written.
    func fields(from start: Int = 0, separator: Unicode.Scalar) -> [DelimitedField] {
        let rest = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(start)))
        return DelimitedField(text: rest, line: self, column: start + 1).split(separator: separator)
    }
}

/// A part of a line, and where it begins.
struct DelimitedField {
    var text: String
    let line: DelimitedLine
    let column: Int

    func error(_ reason: String) -> DelimitedTextError {
        DelimitedTextError(url: line.url, line: line.number, column: column, reason: reason)
    }

    /// The parts between separators, as they are written. A backslash takes the next character's meaning away.
    func split(separator: Unicode.Scalar) -> [DelimitedField] {
        var fields: [DelimitedField] = []
        var current = String.UnicodeScalarView()
        var (place, begin) = (column, column)
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == separator, !isEscaped {
                fields.append(DelimitedField(text: String(current), line: line, column: begin))
                current = String.UnicodeScalarView()
                begin = place + 1
            } else {
                current.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
            place += 1
        }
        fields.append(DelimitedField(text: String(current), line: line, column: begin))
        return fields
    }

    /// The identifiers of a relationship's destinations, between blanks.
    func identifiers() throws -> [DelimitedField] {
        try split(separator: " ").filter { !$0.text.isEmpty }.map { part in
            DelimitedField(text: try TextEscapes.unescaped(part), line: line, column: part.column)
        }
    }
}
