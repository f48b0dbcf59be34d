import Foundation

extension [AnyHashable: Any] {
    /// Whether the options of a store have one of the Boolean ones switched on.
    package func isSet(_ option: String) -> Bool { (self[option] as? NSNumber)?.boolValue ?? false }
}
