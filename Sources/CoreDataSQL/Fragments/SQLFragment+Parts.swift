import Foundation

/// What a statement has in it beside keywords, names and parameters. Statements of a schema, and those whose text is kept by
/// SQLite, can't have parameters, so values stand in these as literals.
extension SQLFragment {
    /// A name where a table, an index or a trigger is made: as Apple writes it, without quotes, since the text is kept in the
    /// file. What no name may have without quotes is spelled by its number.
    package static func declared(_ name: String) -> SQLFragment {
        SQLFragment(SQLIdentifier.part(name))
    }

    /// The name of a function that the framework registers.
    package static func function(_ name: String) -> SQLFragment {
        SQLFragment(SQLIdentifier.part(name))
    }

    /// A whole number that is known when the text is put together, such as that of an entity.
    package static func number(_ number: some BinaryInteger) -> SQLFragment {
        SQLFragment(String(number))
    }

    /// A list of numbers, in their order of size, without parentheses.
    package static func numbers(_ numbers: [Int64]) -> SQLFragment {
        SQLFragment(numbers.sorted().map(String.init).joined(separator: ", "))
    }

    package static func literal(_ number: Double) -> SQLFragment {
        // There is no word for the infinities; a number beyond all doubles is read as one.
        SQLFragment(number.isInfinite ? number > 0 ? "9e999" : "-9e999" : String(number))
    }

    package static func literal(_ text: String) -> SQLFragment {
        SQLFragment(SQLIdentifier.literal(text))
    }

    package static func literal(_ data: Data) -> SQLFragment {
        SQLFragment(SQLIdentifier.literal(data))
    }

    /// So many parameters that are bound later, for a statement that is kept and run with many values.
    package static func parameters(_ count: Int) -> SQLFragment {
        SQLFragment(Array(repeating: "?", count: count).joined(separator: ", "))
    }

    /// A parameter that is bound later, and may stand in a text more than once.
    package static func parameter(_ number: Int) -> SQLFragment {
        SQLFragment("?" + String(number))
    }

    /// A word or a number that was looked at before, such as the mode of a journal: as it is, or in quotes where it has anything
    /// in it that isn't a part of one.
    package static func word(_ text: String) -> SQLFragment {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isWord && !text.contains("--") ? SQLFragment(text) : literal(text)
    }

    /// A whole statement that makes a part of a schema, as a database has kept it.
    package static func definition(_ text: String) -> SQLFragment {
        SQLFragment(text)
    }
}

/// What statements to PostgreSQL have in them beside keywords and parameters: names of a model as they are, always in quotes, and
/// parameters by number.
extension SQLFragment {
    /// A name in quotes, whatever is in it. Without them the server reads small letters for capital ones.
    package static func quoted(_ name: String) -> SQLFragment {
        SQLFragment(SQLIdentifier.inQuotes(name))
    }

    /// A list of names, each in quotes, without parentheses.
    package static func quoted(_ names: some Sequence<String>) -> SQLFragment {
        SQLFragment(names.map(SQLIdentifier.inQuotes).joined(separator: ", "))
    }

    /// A text where a statement takes no parameters, as a definition. One with a backslash is spelled so that the server reads the
    /// same whatever its setting `standard_conforming_strings` is.
    package static func constant(_ text: String) -> SQLFragment {
        let quoted = SQLIdentifier.between(UInt8(ascii: "'"), text)
        let backslash = UInt8(ascii: "\\")
        guard quoted.utf8.contains(backslash) else { return SQLFragment(quoted) }
        let doubled = quoted.utf8.flatMap { $0 == backslash ? [backslash, backslash] : [$0] }
        return SQLFragment("E" + String(decoding: doubled, as: UTF8.self))
    }

    /// A parameter by its number, which may stand in a text more than once. Its value is handed over beside the text.
    package static func mark(_ number: Int) -> SQLFragment {
        SQLFragment("$" + String(number))
    }

    /// A list of so many parameters, from the first on.
    package static func marks(_ count: Int) -> SQLFragment {
        SQLFragment((0..<count).map { "$" + String($0 + 1) }.joined(separator: ", "))
    }
}

extension SQLFragment {
    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var sum = left
        sum.append(right)
        return sum
    }

    package static func += (left: inout SQLFragment, right: SQLFragment) { left.append(right) }
}
