import Foundation

/// A message with values in it (Apple: OSLogMessage).
///
/// Values are written as they are: nothing on Linux keeps a log whose private parts could be shown later, and so a value
/// that is said to be private or sensitive shows as `<private>`, also to a debugger.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// What may be seen of a value (Apple: OSLogPrivacy).
public struct OSLogPrivacy: Sendable {
    /// How a value that isn't shown can still be told from others.
    public enum Mask: Sendable {
        case hash
        case none
    }

    let isHidden: Bool
    let mask: Mask

    public static let auto = OSLogPrivacy(isHidden: false, mask: .none)
    public static let `public` = OSLogPrivacy(isHidden: false, mask: .none)
    public static let `private` = OSLogPrivacy(isHidden: true, mask: .none)
    public static let sensitive = OSLogPrivacy(isHidden: true, mask: .none)

    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(isHidden: true, mask: mask) }
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

    public static let none = OSLogStringAlignment(isRight: false, columns: 0)
    public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(isRight: false, columns: columns())
    }
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

    public static let decimal = OSLogIntegerFormatting.decimal()
    public static let hex = OSLogIntegerFormatting.hex()
    public static let octal = OSLogIntegerFormatting.octal()

    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        .init(radix: 10, prefix: "", isUppercase: false, minDigits: minDigits(), showsPlus: explicitPositiveSign)
    }

    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase, minDigits: minDigits(),
            showsPlus: explicitPositiveSign)
    }

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

    public static let fixed = OSLogFloatFormatting(format: "%f")
    public static let exponential = OSLogFloatFormatting(format: "%e")
    public static let hybrid = OSLogFloatFormatting(format: "%g")

    public static func fixed(precision: @autoclosure () -> Int) -> OSLogFloatFormatting {
        .init(format: "%.\(precision())f")
    }
    public static func exponential(precision: @autoclosure () -> Int) -> OSLogFloatFormatting {
        .init(format: "%.\(precision())e")
    }
    public static func hybrid(precision: @autoclosure () -> Int) -> OSLogFloatFormatting {
        .init(format: "%.\(precision())g")
    }

    func text(of value: Double) -> String { String(format: format, value) }
}

/// How a truth value is written (Apple: OSLogBoolFormat).
public enum OSLogBoolFormat: Sendable {
    case truth
    case answer
}

/// Collects a message's parts (Apple: OSLogInterpolation).
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some BinaryInteger, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(format.text(of: value())))
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(format.text(of: value())))
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(format.text(of: Double(value()))))
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(format == .truth ? "\(value())" : value() ? "YES" : "NO")
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(value()))
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some CustomStringConvertible, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.padded(privacy.shown(value().description))
    }

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
