import Foundation

/// Turns data that is a keyed archive into a value or an object of any class of the program, and back.
///
/// Deprecated by Apple in favour of `NSSecureUnarchiveFromDataTransformer`: use it for data of your own only. It's what
/// attributes without a transformer get. An object that isn't `NSCoding`'s, or of a class that has no name here (a nested
/// one), can't be archived and is nil; so is an archive with an object of a class that the program doesn't have.
package final class KeyedUnarchiveFromDataTransformer: ValueTransformer {
    package override func transformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { Self.value(of: $0, allowsOwnClasses: true) }
    }

    /// The value of an archive; nil where it can't be read.
    ///
    /// - Parameters:
    ///   - allowsOwnClasses: whether objects of the program's own classes are made, and not just Foundation's values.
    ///   - noteUnsecured: is told each class of the program's own that isn't `NSSecureCoding`'s.
    package static func value(
        of data: Data, allowsOwnClasses: Bool, noteUnsecured: (AnyClass) -> Void = { _ in }
    ) -> Any? {
        // The caller says where the value is that can't be read.
        try? SecureArchive.root(
            of: data, allowed: values, isSecure: false, allowsOwnClasses: allowsOwnClasses, noteUnsecured: noteUnsecured
        )
    }

    package override func reverseTransformedValue(_ value: Any?) -> Any? {
        // Callers that need the reason ask for the archive itself.
        try? archived(value)
    }

    /// The archive of an object, or why there is none.
    package func archived(_ value: Any?) throws -> Data? {
        guard let value = Optional.flattened(value) else { return nil }
        let object = value as? NSObject ?? value as AnyObject
        guard Self.values.contains(where: { SecureArchive.isClass(type(of: object), in: $0) }) || isOwnCodable(object)
        else {
            let type: AnyClass = Swift.type(of: object)
            let reason =
                SecureArchive.isOwn(type)
                ? "the class must be NSCoding, at the top level of its file and not private"
                : "of Foundation's classes only property lists, sets, URLs and UUIDs can be; give the attribute a "
                    + "value transformer"
            throw CheckedArchiver.Failure(
                description: "objects of the class \(String(reflecting: type)) can't be archived: \(reason)")
        }
        return try CheckedArchiver.data(
            of: object, requiringSecureCoding: false, allowed: Self.values, allowsOwnClasses: true)
    }

    private static var values: [AnyClass] { NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses }

    private func isOwnCodable(_ object: AnyObject) -> Bool {
        object is any NSCoding && SecureArchive.isOwn(type(of: object)) && SecureArchive.hasName(type(of: object))
    }
}
