import Foundation

extension String {
    /// A text to be looked up in tables of translations, and the values that are interpolated in it (Apple:
    /// String.LocalizationValue).
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        /// The text with a placeholder for each value: `%@`, `%lld`, `%lf` and so on.
        let key: String
        private let arguments: [Argument]

        public init(_ value: String) { self.init(stringLiteral: value) }

        public init(stringLiteral value: String) {
            key = value
            arguments = []
        }

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

        public init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }

        public mutating func appendLiteral(_ literal: String) {
            key += literal.replacingOccurrences(of: "%", with: "%%")
        }

        public mutating func appendInterpolation(_ text: String) { append("%@", .text(text)) }

        public mutating func appendInterpolation(_ text: Substring) { append("%@", .text(String(text))) }

        public mutating func appendInterpolation<Value: SignedInteger & FixedWidthInteger>(_ number: Value) {
            append(Value.bitWidth > 32 ? "%lld" : "%d", .signed(Int64(number)))
        }

        public mutating func appendInterpolation<Value: UnsignedInteger & FixedWidthInteger>(_ number: Value) {
            append(Value.bitWidth > 32 ? "%llu" : "%u", .unsigned(UInt64(number)))
        }

        public mutating func appendInterpolation(_ number: Double) { append("%lf", .floating(number)) }

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
