import Foundation

/// Turns data that is a keyed archive into an object of an allowed class, and back.
/// (Apple: NSSecureUnarchiveFromDataTransformer.)
///
/// What isn't allowed isn't instantiated: the value is nil then.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that the archive's objects may be of: the class of `transformedValueClass()` where a subclass
    /// names one, otherwise the usual value classes. Subclasses may override it.
    open class var allowedTopLevelClasses: [AnyClass] {
        let valueClass: AnyClass = transformedValueClass()
        guard valueClass == NSObject.self else { return [valueClass] }
        return [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    /// The value in an archive; nil where it can't be read, or is of a class that isn't allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        // Callers that need the reason ask for the object itself.
        try? unarchived(value)
    }

    /// The archive of a value; nil where it can't be archived.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        // Callers that need the reason ask for the archive itself.
        try? archived(value)
    }

    /// The archived object, or why it can't be read.
    package func unarchived(_ value: Any?) throws -> Any? {
        guard let data = value as? Data else { return nil }
        return try SecureArchive.root(of: data, allowed: type(of: self).allowedTopLevelClasses, isSecure: true)
    }

    /// The archive of an object, or why there is none: its class isn't allowed or can't be archived securely.
    package func archived(_ value: Any?) throws -> Data? {
        guard let value = Optional.flattened(value) else { return nil }
        let object = value as? NSObject ?? value as AnyObject
        let classes = type(of: self).allowedTopLevelClasses
        guard classes.contains(where: { SecureArchive.isClass(type(of: object), in: $0) }) else {
            throw CocoaError(
                .coderInvalidValue,
                userInfo: [
                    NSDebugDescriptionErrorKey:
                        "Object of class \(type(of: object)) is not among allowed top level class list \(classes)"
                ])
        }
        return try CheckedArchiver.data(of: object, requiringSecureCoding: true, allowed: classes)
    }

    /// Whether the class takes an object, whatever is in it.
    package func allows(_ value: Any) -> Bool {
        let object = value as? NSObject ?? value as AnyObject
        return type(of: self).allowedTopLevelClasses.contains { SecureArchive.isClass(type(of: object), in: $0) }
    }
}
