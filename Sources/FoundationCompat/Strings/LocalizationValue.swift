import Foundation

extension String {
    /// A text to be looked up in tables of translations, and the values that are interpolated in it (Apple:
    /// String.LocalizationValue).
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        /// The text with a placeholder for each value: `%@`, `%lld`, `%lf` and so on.
        let key: String
        private let arguments: [Argument]

        /// A text without values, such as one that a program has made.
        public init(_ value: String) { self.init(stringLiteral: value) }

        /// A text without values. A percent sign in it is part of the key as it is.
        public init(stringLiteral value: String) {
            key = value
            arguments = []
        }

        /// A text with values, for each of which the key has a placeholder.
        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        /// The text with the values in the place of their placeholders, in order or by their numbers (`%2$@`).
        func text(format: String, locale: Locale) -> String {
            guard !arguments.isEmpty else { return format }
            return String(format: format, locale: locale, arguments: arguments.map(\.value))
        }
    }
}

extension String.LocalizationValue {
    /// A value of an interpolation.
    enum Argument: Equatable, Sendable {
        case text(String)
        case signed(Int64)
        case unsigned(UInt64)
        case floating(Double)

        var value: any CVarArg {
            switch self {
            case .text(let text): NSString(string: text)
            case .signed(let number): number
            case .unsigned(let number): number
            case .floating(let number): number
            }
        }
    }

    /// Collects the text and the values of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var key = ""
        var arguments: [Argument] = []

        /// Begins an empty text; called by the compiler.
        public init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }

        /// Adds text as it is written in the source; a percent sign is doubled, so that it isn't a placeholder.
        public mutating func appendLiteral(_ literal: String) {
            key += literal.replacingOccurrences(of: "%", with: "%%")
        }

        /// Adds a string, with the placeholder `%@`.
        public mutating func appendInterpolation(_ text: String) { append("%@", .text(text)) }

        /// Adds a part of a string, with the placeholder `%@`.
        public mutating func appendInterpolation(_ text: Substring) { append("%@", .text(String(text))) }

        /// Adds a signed integer, with the placeholder `%lld`, or `%d` up to 32 bits.
        public mutating func appendInterpolation<Value: SignedInteger & FixedWidthInteger>(_ number: Value) {
            append(Value.bitWidth > 32 ? "%lld" : "%d", .signed(Int64(number)))
        }

        /// Adds an unsigned integer, with the placeholder `%llu`, or `%u` up to 32 bits.
        public mutating func appendInterpolation<Value: UnsignedInteger & FixedWidthInteger>(_ number: Value) {
            append(Value.bitWidth > 32 ? "%llu" : "%u", .unsigned(UInt64(number)))
        }

        /// Adds a number of double precision, with the placeholder `%lf`.
        public mutating func appendInterpolation(_ number: Double) { append("%lf", .floating(number)) }

        /// Adds a number of single precision, with the placeholder `%f`.
        public mutating func appendInterpolation(_ number: Float) { append("%f", .floating(Double(number))) }

        /// Any other value by its description.
        public mutating func appendInterpolation<Value>(_ value: Value) {
            append("%@", .text(String(describing: value)))
        }

        private mutating func append(_ placeholder: String, _ argument: Argument) {
            key += placeholder
            arguments.append(argument)
        }
    }
}
