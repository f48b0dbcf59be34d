import Foundation

extension NSObject {
    /// The class itself: on Apple's platforms a class is an object too, with the methods of `NSObject` (Apple:
    /// classForCoder).
    public class func classForCoder() -> AnyClass { self }

    /// The class that this one inherits from (Apple: superclass()), which Foundation has on Linux as a property alone.
    public static func superclass() -> AnyClass? { Self.superclass }
}
