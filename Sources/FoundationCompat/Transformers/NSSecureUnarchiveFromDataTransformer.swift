import Foundation

/// Turns data that is a keyed archive into an object of an allowed class, and back.
/// (Apple: NSSecureUnarchiveFromDataTransformer.)
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that the archive's root may be an object of.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }
}
