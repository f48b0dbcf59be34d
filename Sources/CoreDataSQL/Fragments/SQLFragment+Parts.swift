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
        SQLFragment(String(number))
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

extension SQLFragment {
    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var sum = left
        sum.append(right)
        return sum
    }

    package static func += (left: inout SQLFragment, right: SQLFragment) { left.append(right) }
}
