import Foundation

/// Archives objects, and says why where it can't: Foundation's archiver on Linux ends the program at an object of a class that
/// it can't name, or that can't be archived, however deep it lies.
package enum CheckedArchiver {
    /// Why there is no archive.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: ``Failure``, which names the class that can't be archived.
    package static func data(of object: Any, requiringSecureCoding isSecure: Bool) throws -> Data {
        if containsDecimal(object) {
            throw Failure(description: "Foundation's archiver on Linux can't archive decimal numbers")
        }
        let archiver = NSKeyedArchiver(requiringSecureCoding: isSecure)
        let inspector = Inspector(isSecure: isSecure)
        archiver.delegate = inspector
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        if let failure = inspector.failure { throw failure }
        return archiver.encodedData
    }

    /// Whether a value is a decimal number, or a collection with one in it.
    package static func containsDecimal(_ value: Any) -> Bool { SecureArchive.containsDecimal(value) }

    /// Looks at each object before it is archived, and has another one archived instead of what would end the program.
    private final class Inspector: NSKeyedArchiverDelegate {
        private let isSecure: Bool
        private(set) var failure: Failure?

        init(isSecure: Bool) { self.isSecure = isSecure }

        func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
            guard let reason = reason(against: object) else { return object }
            failure = failure ?? Failure(description: reason)
            return NSNull()
        }

        private func reason(against object: Any) -> String? {
            guard let type = type(of: object) as? AnyClass, SecureArchive.isOwn(type) else { return nil }
            let name = String(reflecting: type)
            guard object is any NSCoding else { return "objects of the class \(name) aren't NSCoding" }
            guard SecureArchive.hasName(type) else {
                return "Foundation on Linux can't archive objects of the nested, private or generic class \(name); "
                    + "declare the class at the top level of its file, not as private"
            }
            if isSecure, (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
                return "the class \(name) doesn't support secure coding"
            }
            return nil
        }

        func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
        func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
        func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
        func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    }
}
