import Foundation

/// A message with values in it (Apple: OSLogMessage).
///
/// Values are written as they are: nothing on Linux keeps a log whose private parts could be shown later, and so a value
/// that is said to be private or sensitive shows as `<private>`, also to a debugger.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// A message without values.
    public init(stringLiteral value: String) { text = value }
    /// A message with values, each written as its interpolation says.
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// What may be seen of a value (Apple: OSLogPrivacy).
public struct OSLogPrivacy: Sendable {
    /// How a value that isn't shown can still be told from others.
    public enum Mask: Sendable {
        /// A short code made of the value, the same for equal values within one run of the program.
        case hash
        /// Not at all.
        case none
    }

    let isHidden: Bool
    let mask: Mask

    /// Shows the value. On Apple's platforms this hides strings and objects; nothing is hidden here unless the call
    /// says so.
    public static let auto = OSLogPrivacy(isHidden: false, mask: .none)
    /// Shows the value.
    public static let `public` = OSLogPrivacy(isHidden: false, mask: .none)
    /// Writes `<private>` in the value's place.
    public static let `private` = OSLogPrivacy(isHidden: true, mask: .none)
    /// Writes `<private>` in the value's place. Apple hides such a value even where private ones are shown.
    public static let sensitive = OSLogPrivacy(isHidden: true, mask: .none)

    /// Shows the value, whatever the mask, as ``auto`` does.
    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
    /// Hides the value; with the mask `hash` equal values can be recognised within one run of the program.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(isHidden: true, mask: mask) }
    /// Hides the value; with the mask `hash` equal values can be recognised within one run of the program.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(isHidden: true, mask: mask) }

    func shown(_ text: @autoclosure () -> String) -> String {
        guard isHidden else { return text() }
        return mask == .hash ? "<mask.hash: \(String(UInt(bitPattern: text().hashValue), radix: 36))>" : "<private>"
    }
}

/// How a value is padded (Apple: OSLogStringAlignment).
public struct OSLogStringAlignment: Sendable {
    let isRight: Bool
    let columns: Int

    /// No padding.
    public static let none = OSLogStringAlignment(isRight: false, columns: 0)
    /// Pads with spaces at the right, to a number of characters. A longer text isn't cut.
    public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(isRight: false, columns: columns())
    }
    /// Pads with spaces at the left, to a number of characters. A longer text isn't cut.
    public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(isRight: true, columns: columns())
    }

    func padded(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? padding + text : text + padding
    }
}

/// How an integer is written (Apple: OSLogIntegerFormatting).
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let prefix: String
    let isUppercase: Bool
    let minDigits: Int
    let showsPlus: Bool

    /// Base ten.
    public static let decimal = OSLogIntegerFormatting.decimal()
    /// Base sixteen, lower case, without prefix.
    public static let hex = OSLogIntegerFormatting.hex()
    /// Base eight, without prefix.
    public static let octal = OSLogIntegerFormatting.octal()

    /// Base ten, filled with zeros to a number of digits, with a plus sign where asked.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        .init(radix: 10, prefix: "", isUppercase: false, minDigits: minDigits(), showsPlus: explicitPositiveSign)
    }

    /// Base sixteen, filled with zeros to a number of digits; the prefix is `0x`. A negative number has a minus sign.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase, minDigits: minDigits(),
            showsPlus: explicitPositiveSign)
    }

    /// Base eight, filled with zeros to a number of digits; the prefix is `0o`. A negative number has a minus sign.
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 8, prefix: includePrefix ? "0o" : "", isUppercase: false, minDigits: minDigits(),
            showsPlus: explicitPositiveSign)
    }

    func text(of value: some BinaryInteger) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (value < 0 ? "-" : showsPlus ? "+" : "") + prefix + zeros + digits
    }
}

/// How a floating-point number is written (Apple: OSLogFloatFormatting).
public struct OSLogFloatFormatting: Sendable {
    let format: String

    /// Six digits after the point, as `%f`.
    public static let fixed = OSLogFloatFormatting(format: "%f")
    /// With an exponent of ten, as `%e`.
    public static let exponential = OSLogFloatFormatting(format: "%e")
    /// The shorter of the two others, as `%g`.
    public static let hybrid = OSLogFloatFormatting(format: "%g")

    /// A number of digits after the point.
    public static func fixed(precision: @autoclosure () -> Int) -> OSLogFloatFormatting {
        .init(format: "%.\(precision())f")
    }
    /// With an exponent of ten and a number of digits after the point.
    public static func exponential(precision: @autoclosure () -> Int) -> OSLogFloatFormatting {
        .init(format: "%.\(precision())e")
    }
    /// The shorter of the two others, with a number of significant digits.
    public static func hybrid(precision: @autoclosure () -> Int) -> OSLogFloatFormatting {
        .init(format: "%.\(precision())g")
    }

    func text(of value: Double) -> String { String(format: format, value) }
}

/// How a truth value is written (Apple: OSLogBoolFormat).
public enum OSLogBoolFormat: Sendable {
    /// `true` or `false`.
    case truth
    /// `YES` or `NO`.
    case answer
}

/// Collects a message's parts (Apple: OSLogInterpolation).
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// Begins an empty message; called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    /// Adds text as it is written in the source.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds an integer.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some BinaryInteger, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(format.text(of: value())))
    }

    /// Adds a number of double precision.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(format.text(of: value())))
    }

    /// Adds a number of single precision.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(format.text(of: Double(value()))))
    }

    /// Adds a truth value: `true` or `false`, or with the format `answer` `YES` or `NO`.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(format == .truth ? "\(value())" : value() ? "YES" : "NO")
    }

    /// Adds a string.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(value()))
    }

    /// Adds any other value by its description.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some CustomStringConvertible, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(value().description))
    }

    /// Adds the name of a type.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown("\(value())"))
    }

    /// An object, or an error; on Apple's platforms these are `NSObject`s.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ value: @autoclosure () -> Any?, privacy: OSLogPrivacy = .auto) {
        text += privacy.shown(value().map { "\($0)" } ?? "(null)")
    }
}
