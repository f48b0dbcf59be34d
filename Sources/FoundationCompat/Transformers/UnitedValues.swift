import Foundation

/// Values of an archive that Foundation's archiver on Linux takes for one, though they differ: it looks them up by `isEqual`, where
/// Apple's goes by identity, and writes the first one in the place of all.
struct UnitedValues {
    /// Whether two texts differ only in how their characters are composed.
    private(set) var hasTexts = false
    /// Whether two numbers differ in their type, or by less than a floating-point number can tell.
    private(set) var hasNumbers = false
    /// Whether two of these aren't the same number.
    private(set) var changesNumbers = false

    /// What can't be archived as it is; nil where all can.
    var change: String? {
        if hasTexts { return "texts that differ in how a character is composed" }
        return changesNumbers ? "numbers that differ by less than a floating-point number can tell" : nil
    }

    private var texts: [String: String] = [:]
    private var numbers: [AnyHashable: NSNumber] = [:]

    mutating func note(_ value: Any) {
        if let text = value as? String {
            note(text)
        } else if let number = value as AnyObject as? NSNumber, !(number is NSDecimalNumber) {
            note(number)
        }
    }

    private mutating func note(_ text: String) {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }), let known = texts.updateValue(text, forKey: text) else { return }
        if !known.utf8.elementsEqual(text.utf8) { hasTexts = true }
    }

    private mutating func note(_ number: NSNumber) {
        guard let known = numbers.updateValue(number, forKey: AnyHashable(number)) else { return }
        if Self.isSame(known, number) {
            // Of a zero, too, the sign counts.
            let isSameKind = known.objCType.pointee == number.objCType.pointee
            if !isSameKind || known.doubleValue.sign != number.doubleValue.sign { hasNumbers = true }
        } else {
            (hasNumbers, changesNumbers) = (true, true)
        }
    }

    private static func isSame(_ first: NSNumber, _ second: NSNumber) -> Bool {
        switch (WholeNumber(first), WholeNumber(second)) {
        case (nil, nil): first.doubleValue == second.doubleValue || first.doubleValue.isNaN && second.doubleValue.isNaN
        case (let first, let second): first == second
        }
    }

    private struct WholeNumber: Equatable {
        let isNegative: Bool
        let magnitude: UInt64

        /// Nil for what is no whole number, or none of 64 bits.
        init?(_ number: NSNumber) {
            switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
            case "d", "f":
                guard let magnitude = UInt64(exactly: number.doubleValue.magnitude) else { return nil }
                (isNegative, self.magnitude) = (number.doubleValue < 0, magnitude)
            case "Q":
                (isNegative, magnitude) = (false, number.uint64Value)
            default:
                (isNegative, magnitude) = (number.int64Value < 0, number.int64Value.magnitude)
            }
        }
    }
}
