import Foundation

extension [AnyHashable: Any] {
    /// Whether the options of a store have one of the Boolean ones switched on. A text counts as `NSString.boolValue` does, as
    /// on Apple's platforms.
    package func isSet(_ option: String) -> Bool {
        switch self[option] {
        case let number as NSNumber: number.boolValue
        case let text as String: (text as NSString).boolValue
        // Published code gives the option with itself inside once more (seen in CoreDataPlus).
        case let nested as [AnyHashable: Any] where nested[option] is NSNumber || nested[option] is String:
            nested.isSet(option)
        default: false
        }
    }

    /// A number of seconds among the options, as a number or a text; nil where it is neither.
    package func seconds(_ option: String) -> Double? {
        switch self[option] {
        case let number as NSNumber: number.doubleValue
        case let text as String: Double(text)
        default: nil
        }
    }
}
