import Foundation

/// Cuts a format string into tokens, one at a time.
struct Tokenizer {
    let format: String
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ format: String) {
        self.format = format
        scalars = Array(format.unicodeScalars)
    }

    /// Where the next token begins, in scalars.
    mutating func nextStart() -> Int {
        skipSpace()
        return place
    }

    func error(at offset: Int, expected expectation: String) -> FormatError {
        FormatError(format: format, scalarOffset: offset, expectation: expectation)
    }

    /// The next token; `.end` at the end, again and again.
    mutating func next() throws -> Token {
        skipSpace()
        guard let scalar = peek() else { return .end }
        switch scalar {
        case "'", "\"": return try quotedString(scalar)
        case "$": return try variable()
        case "#": return try escapedWord()
        case "@": return try operatorKey()
        case "%": return try argument()
        case "0"..."9": return .number(try number())
        case "." where isDigit(peek(1)): return .number(try number())
        default: break
        }
        if Self.startsWord(scalar) {
            return .word(consumeWord())
        }
        if let symbol = symbol() {
            place += symbol.rawValue.utf8.count
            return .symbol(symbol)
        }
        throw error(at: place, expected: "expected a key, a value or an operator, not \"\(scalar)\"")
    }

    // MARK: Pieces

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        place + distance < scalars.count ? scalars[place + distance] : nil
    }

    private mutating func skipSpace() {
        while let scalar = peek(), Self.isSpace(scalar) {
            place += 1
        }
    }

    private func symbol() -> Token.Symbol? {
        guard let first = peek() else { return nil }
        if let second = peek(1), let symbol = Token.Symbol(rawValue: String(Character(first)) + String(second)) {
            return symbol
        }
        return Token.Symbol(rawValue: String(first))
    }

    // Of ASCII the answers are known: Unicode's tables cost some hundred instructions a character.

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
    }

    static func startsWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
        return scalar.properties.isAlphabetic || scalar.properties.isEmoji
    }

    static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return startsWord(scalar) || isDecimalDigit(scalar) }
        return startsWord(scalar) || scalar.properties.generalCategory == .nonspacingMark
            || scalar.properties.generalCategory == .decimalNumber
    }

    private static func isDecimalDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar >= "0" && scalar <= "9"
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map(Self.isDecimalDigit) ?? false
    }

    private mutating func consumeWord() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = peek(), Self.continuesWord(scalar) {
            word.append(scalar)
            place += 1
        }
        return String(word)
    }

    private mutating func name(_ what: String) throws -> String {
        guard let scalar = peek(), Self.startsWord(scalar) else {
            throw error(at: place, expected: "expected \(what)")
        }
        return consumeWord()
    }

    private mutating func variable() throws -> Token {
        place += 1
        return .variable(try name("the name of a variable after \"$\""))
    }

    private mutating func escapedWord() throws -> Token {
        place += 1
        return .key(try name("a key after \"#\""))
    }

    private mutating func operatorKey() throws -> Token {
        place += 1
        return .key("@" + (try name("the name of a collection operator after \"@\"")))
    }

    // MARK: Strings

    private mutating func quotedString(_ quote: Unicode.Scalar) throws -> Token {
        let start = place
        place += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek() {
            place += 1
            if scalar == quote {
                return .string(String(text))
            }
            if scalar == "\\" {
                text.append(try escape())
            } else {
                text.append(scalar)
            }
        }
        throw error(at: start, expected: "the string that begins here has no closing \(quote)")
    }

    /// What follows a backslash. An escape that isn't known stands for the character itself.
    private mutating func escape() throws -> Unicode.Scalar {
        guard let scalar = peek() else {
            throw error(at: place, expected: "expected a character after the backslash")
        }
        place += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "f": return "\u{0C}"
        case "b": return "\u{08}"
        case "v": return "\u{0B}"
        case "a": return "\u{07}"
        case "x": return try codePoint(digits: 2)
        case "u": return try codePoint(digits: 4)
        case "U": return try codePoint(digits: 8)
        default: return scalar
        }
    }

    private mutating func codePoint(digits: Int) throws -> Unicode.Scalar {
        let start = place
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = peek().flatMap(Self.hexValue) else {
                throw error(at: place, expected: "expected \(digits) hexadecimal digits")
            }
            value = value << 4 | digit
            place += 1
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw error(at: start, expected: "there is no such character")
        }
        return scalar
    }

    private static func hexValue(_ scalar: Unicode.Scalar) -> UInt32? {
        scalar.isASCII ? Character(scalar).hexDigitValue.map(UInt32.init) : nil
    }

    // MARK: Numbers

    private mutating func number() throws -> NumberLiteral {
        let start = place
        if peek() == "0", let mark = peek(1), let radix = ["x": 16, "X": 16, "o": 8, "b": 2][mark] {
            place += 2
            let digits = consumeWord(while: { Self.hexValue($0) != nil })
            guard let value = UInt64(digits, radix: radix) else {
                throw error(at: start, expected: "expected a whole number to the base \(radix) that fits 64 bits")
            }
            return try finished(NumericValue(unsigned: value), start)
        }
        var text = consumeWord(while: Self.isDecimalDigit)
        var isReal = false
        if peek() == ".", isDigit(peek(1)) || !(peek(1).map(Self.startsWord) ?? false) {
            isReal = true
            place += 1
            text += "." + consumeWord(while: Self.isDecimalDigit)
        }
        if let mark = peek(), mark == "e" || mark == "E" {
            let signed = peek(1) == "+" || peek(1) == "-"
            if isDigit(peek(signed ? 2 : 1)) {
                isReal = true
                place += 1
                text += "e" + (signed ? String(peek()!) : "")
                place += signed ? 1 : 0
                text += consumeWord(while: Self.isDecimalDigit)
            }
        }
        if !isReal, let value = UInt64(text) {
            return try finished(NumericValue(unsigned: value), start)
        }
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasSuffix(".") { text += "0" }
        guard let value = Double(text.replacingOccurrences(of: ".e", with: ".0e")) else {
            throw error(at: start, expected: "expected a number")
        }
        return try finished(.real(value), start)
    }

    private func finished(_ value: NumericValue, _ start: Int) throws -> NumberLiteral {
        if let scalar = peek(), Self.continuesWord(scalar) {
            throw error(at: place, expected: "expected the end of the number, or a space after it")
        }
        return NumberLiteral(value: value)
    }

    private mutating func consumeWord(while belongs: (Unicode.Scalar) -> Bool) -> String {
        var word = String.UnicodeScalarView()
        while let scalar = peek(), belongs(scalar) {
            word.append(scalar)
            place += 1
        }
        return String(word)
    }

    // MARK: Arguments

    private mutating func argument() throws -> Token {
        let start = place
        place += 1
        var position: Int?
        let digits = consumeWord(while: Self.isDecimalDigit)
        if !digits.isEmpty {
            guard peek() == "$", let number = Int(digits), number > 0 else {
                throw error(at: start, expected: "expected a placeholder such as %@ or %2$@")
            }
            position = number
            place += 1
        }
        _ = consumeWord(while: { "hlqjztL".unicodeScalars.contains($0) })
        guard let conversion = peek() else {
            throw error(at: place, expected: "expected a conversion such as @, K or d after \"%\"")
        }
        place += 1
        let kind: ArgumentPlaceholder.Kind
        if "uUd".unicodeScalars.contains(conversion), peek() == "d" {
            // "%lud" and "%ldd" are in programs that have shipped for years; the second letter means nothing.
            place += 1
        }
        switch conversion {
        case "@": kind = .object
        case "K": kind = .keyPath
        case "d", "D", "i", "u", "U", "x", "X", "o", "O", "f", "F", "g", "G", "e", "E", "a", "A": kind = .number
        case "c", "C": kind = .character
        case "s", "S": kind = .cString
        default:
            throw error(at: start, expected: "there is no placeholder %\(conversion); expected %@, %K, %d or the like")
        }
        let text = String(String.UnicodeScalarView(scalars[start..<place]))
        return .argument(ArgumentPlaceholder(kind: kind, text: text, position: position))
    }
}
