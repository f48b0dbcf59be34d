/// Builds the name that the Swift compiler gives to a declaration's symbol.
///
/// Follows the description of the mangling in the Swift repository (docs/ABI/Mangling.rst), for the declarations and
/// types that `@NSManaged` can have. That it agrees with the compiler is what `ManglingTests` is for.
struct SymbolMangler {
    /// What a later part of the name can refer to instead of being spelled out.
    private enum Substitution: Hashable {
        case identifier(String)
        case nominal(NominalType)
        case type(SwiftType)
    }

    /// The last thing in the buffer, where it is a substitution that the next one can be merged with.
    private struct Mergeable {
        let start: Int
        let end: Int
        let letter: UInt8
        let count: Int
        let isStandard: Bool
    }

    private static let maximumWordCount = 26
    private static let maximumRepeatCount = 2048

    private var buffer: [UInt8] = Array("$s".utf8)
    private var substitutions: [Substitution: Int] = [:]
    private var words: [ArraySlice<UInt8>] = []
    private var mergeable: Mergeable?

    /// The name so far.
    var name: String { String(decoding: buffer, as: UTF8.self) }

    /// Appends text that has a meaning of its own.
    mutating func appendOperator(_ text: String) {
        buffer += text.utf8
    }

    /// Appends a letter for a type of the standard library.
    mutating func appendStandard(_ letter: Character) {
        guard let code = letter.asciiValue else { preconditionFailure("Standard types have ASCII letters.") }
        if merge(code, isStandard: true) { return }
        appendOperator("S")
        buffer.append(code)
        remember(code, isStandard: true)
    }

    // MARK: - Substitutions

    /// Refers to a type that occurred before. Returns false where it did not.
    mutating func appendSubstitution(for nominal: NominalType) -> Bool { appendSubstitution(.nominal(nominal)) }

    /// Refers to a composed type that occurred before. Returns false where it did not.
    mutating func appendSubstitution(for type: SwiftType) -> Bool { appendSubstitution(.type(type)) }

    /// Makes a type available to be referred to.
    mutating func addSubstitution(for nominal: NominalType) { addSubstitution(.nominal(nominal)) }

    /// Makes a composed type available to be referred to.
    mutating func addSubstitution(for type: SwiftType) { addSubstitution(.type(type)) }

    private mutating func addSubstitution(_ substitution: Substitution) {
        substitutions[substitution] = substitutions.count
    }

    private mutating func appendSubstitution(_ substitution: Substitution) -> Bool {
        guard let index = substitutions[substitution] else { return false }
        guard index < 26 else {
            appendOperator("A")
            appendIndex(index - 26)
            return true
        }
        let code = UInt8(ascii: "A") + UInt8(index)
        if merge(code, isStandard: false) { return true }
        appendOperator("A")
        buffer.append(code)
        remember(code, isStandard: false)
        return true
    }

    /// Appends an index as mangled names have them: "_" is 0, "0_" is 1.
    mutating func appendIndex(_ index: Int) {
        appendOperator(index == 0 ? "_" : "\(index - 1)_")
    }

    private mutating func remember(_ code: UInt8, isStandard: Bool) {
        mergeable = Mergeable(
            start: buffer.count - 1, end: buffer.count, letter: code, count: 1, isStandard: isStandard)
    }

    /// Merges a substitution with the one right before it: "AB" and "AC" to "AbC", "Si" and "Si" to "S2i".
    private mutating func merge(_ code: UInt8, isStandard: Bool) -> Bool {
        guard let last = mergeable, last.end == buffer.count, last.isStandard == isStandard,
            last.count < Self.maximumRepeatCount
        else { return false }
        if last.letter == code {
            buffer.replaceSubrange(last.start..., with: Array("\(last.count + 1)".utf8) + [code])
            mergeable = Mergeable(
                start: last.start, end: buffer.count, letter: code, count: last.count + 1, isStandard: isStandard)
            return true
        }
        guard !isStandard else { return false }
        buffer[buffer.count - 1] += UInt8(ascii: "a") - UInt8(ascii: "A")
        buffer.append(code)
        remember(code, isStandard: false)
        return true
    }

    // MARK: - Identifiers

    /// Appends an identifier, or refers to it where it occurred before.
    mutating func appendIdentifier(_ identifier: String) {
        if appendSubstitution(.identifier(identifier)) { return }
        addSubstitution(.identifier(identifier))
        guard identifier.utf8.allSatisfy({ $0 < 128 }) else {
            let encoded = Punycode.encode(identifier)
            appendOperator("00\(encoded.utf8.count)")
            if let first = encoded.first, first.isNumber || first == "_" { appendOperator("_") }
            appendOperator(encoded)
            return
        }
        appendWords(of: Array(identifier.utf8))
    }

    /// Appends a name with the words in it replaced that occurred before.
    private mutating func appendWords(of identifier: [UInt8]) {
        let replaced = replacements(in: identifier)
        if !replaced.isEmpty { appendOperator("0") }
        var position = 0
        for (number, replacement) in replaced.enumerated() {
            appendLiteral(identifier[position..<replacement.range.lowerBound])
            position = replacement.range.upperBound
            let isLast = number == replaced.count - 1
            buffer.append(UInt8(ascii: isLast ? "A" : "a") + UInt8(replacement.word))
            if isLast, position == identifier.count { appendOperator("0") }
        }
        appendLiteral(identifier[position...])
    }

    private mutating func appendLiteral(_ text: ArraySlice<UInt8>) {
        guard !text.isEmpty else { return }
        appendOperator(String(text.count))
        buffer += text
    }

    /// Finds the words that occurred before, and keeps the new ones.
    private mutating func replacements(in identifier: [UInt8]) -> [(range: Range<Int>, word: Int)] {
        var found: [(range: Range<Int>, word: Int)] = []
        for range in Self.wordRanges(in: identifier) {
            let word = identifier[range]
            if let index = words.firstIndex(of: word) {
                found.append((range, index))
            } else if word.count >= 2, words.count < Self.maximumWordCount {
                words.append(word)
            }
        }
        return found
    }

    /// Words begin after "_", after digits at the beginning, and at capitals that follow something else.
    private static func wordRanges(in identifier: [UInt8]) -> [Range<Int>] {
        let underscore = UInt8(ascii: "_")
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var ranges: [Range<Int>] = []
        var start: Int?
        for position in 0...identifier.count {
            let code = position < identifier.count ? identifier[position] : underscore
            if let begin = start {
                let isCapital = capitals.contains(code) && !capitals.contains(identifier[position - 1])
                if code == underscore || isCapital {
                    ranges.append(begin..<position)
                    start = nil
                }
            }
            if start == nil, code != underscore, !digits.contains(code) { start = position }
        }
        return ranges
    }
}
