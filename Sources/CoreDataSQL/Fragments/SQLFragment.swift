/// A piece of SQL with the values of its parameters, in the order in which their question marks stand in the text.
///
/// Fragments are put together by string interpolation: `"\(column) = \(bind: .int(1))"`. The text holds only names that
/// come from the schema, keywords and question marks; whatever a caller wrote in a predicate is a binding. PostgreSQL's hot statements
/// have numbered parameters instead, whose values are handed over beside the fragment.
package struct SQLFragment: Hashable, Sendable, ExpressibleByStringInterpolation {
    package private(set) var text: String
    package private(set) var bindings: [SQLBinding]

    package init(_ text: String, bindings: [SQLBinding] = []) {
        self.text = text
        self.bindings = bindings
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.fragment
    }

    /// A parameter.
    package static func bind(_ value: SQLBinding) -> SQLFragment {
        SQLFragment("?", bindings: [value])
    }

    /// A table or column name, quoted where SQLite could read it as something else.
    ///
    /// Core Data's own names are letters, digits and underscores beginning with a `Z` or an `A`. Others come from
    /// entity and property names with unusual letters.
    package static func name(_ name: String) -> SQLFragment {
        SQLFragment(SQLIdentifier.quoted(name))
    }

    package static func column(_ name: String, of alias: String) -> SQLFragment {
        "\(raw: alias).\(self.name(name))"
    }

    package mutating func append(_ other: SQLFragment) {
        text += other.text
        bindings += other.bindings
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        package var fragment = SQLFragment("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            fragment.text += literal
        }

        package mutating func appendInterpolation(_ other: SQLFragment) {
            fragment.append(other)
        }

        /// Text that is SQL already: an alias, a keyword, a number.
        package mutating func appendInterpolation(raw text: some CustomStringConvertible) {
            fragment.text += text.description
        }

        package mutating func appendInterpolation(bind value: SQLBinding) {
            fragment.append(.bind(value))
        }
    }
}

extension Sequence where Element == SQLFragment {
    package func joined(separator: String) -> SQLFragment {
        var result = SQLFragment("")
        for (index, fragment) in enumerated() {
            if index > 0 { result.append(SQLFragment(separator)) }
            result.append(fragment)
        }
        return result
    }
}
