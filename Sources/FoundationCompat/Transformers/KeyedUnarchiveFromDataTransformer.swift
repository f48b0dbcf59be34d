import Foundation

/// Turns data that is a keyed archive into an object of whatever class, and back.
///
/// Deprecated by Apple in favour of `NSSecureUnarchiveFromDataTransformer`: use it for data of your own only.
final class KeyedUnarchiveFromDataTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else {
            return nil
        }
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: false) }
    }
}
