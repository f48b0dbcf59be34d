/// Where letters end in folded text, which is decomposed.
///
/// A match that began or ended between a letter and its mark would find "a" in "ä", which is what the option `[d]` is for; with it
/// there are no such places. Foundation's search of composed strings draws the same line: within Hangul syllables, too, but not
/// before spacing marks. One character, as a wildcard counts, a letter is with all of them.
enum LetterBoundary {
    /// Whether no match may begin before the scalar or end there, as it is a part of the letter before it.
    static func isPartOfLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        // A syllable's vowel and last consonant, which decomposing a syllable gives.
        default: return (0x1160...0x11FF).contains(scalar.value) || scalar.properties.isEmojiModifier
        }
    }

    /// Whether the scalar belongs to the character before it.
    static func continuesCharacter(_ scalar: Unicode.Scalar) -> Bool {
        isPartOfLetter(scalar) || scalar.properties.generalCategory == .spacingMark
    }

    /// Whether a match may begin or end at an offset of UTF-8, which has to be that of a scalar or the end.
    static func lies(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The first byte of U+0300 is the smallest that has to be looked at.
        guard offset > 0, offset < bytes.count, bytes[offset] >= 0xCC else { return true }
        var scalars = UTF8()
        var rest = bytes[offset...].makeIterator()
        guard case .scalarValue(let scalar) = scalars.decode(&rest) else { return true }
        return !isPartOfLetter(scalar)
    }
}
