/// The types of the standard library that mangled names have a letter for.
enum StandardTypes {
    private static let letters: [String: Character] = [
        "Array": "a", "Bool": "b", "Character": "J", "ClosedRange": "N", "Decodable": "e", "Dictionary": "D",
        "Double": "d", "Encodable": "E", "Equatable": "Q", "Float": "f", "Hashable": "H", "Int": "i",
        "Comparable": "L", "ObjectIdentifier": "O", "Optional": "q", "Range": "n", "RawRepresentable": "Y",
        "Set": "h", "String": "S", "Substring": "s", "UInt": "u",
    ]

    /// The letter of a type, where it has one.
    static func letter(of type: NominalType) -> Character? {
        guard type.module == "Swift", type.path.count == 1 else { return nil }
        return letters[type.path[0].name]
    }
}
