/// Characters that would end a value, written otherwise.
///
/// A backslash stands before `,`, `:`, `#`, a blank and a backslash; `\n` and `\r` are the ends of lines, and `\e` is a text
/// without any character, as nothing at all means that there is no value.
enum TextEscapes {
    private static let marked: Set<Character> = [",", ":", "#", " ", "\\"]

    static func escaped(_ text: String) -> String {
        if text.isEmpty { return "\\e" }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            default:
                if marked.contains(Character(scalar)) { result.unicodeScalars.append("\\") }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func unescaped(_ field: DelimitedField) throws -> String {
        if field.text == "\\e" { return "" }
        var result = ""
        var isEscaped = false
        for scalar in field.text.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            switch (isEscaped, scalar) {
            case (true, "n"): result.unicodeScalars.append("\n")
            case (true, "r"): result.unicodeScalars.append("\r")
            case (true, _) where !marked.contains(Character(scalar)):
                throw field.error("'\\\(scalar)' stands for nothing")
            default: result.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        if isEscaped { throw field.error("a backslash at the end stands for nothing") }
        return result
    }
}
