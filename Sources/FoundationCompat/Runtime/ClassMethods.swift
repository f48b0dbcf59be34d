import Foundation

extension NSObject {
    /// The class itself: on Apple's platforms a class is an object too, with the methods of `NSObject` (Apple:
    /// classForCoder).
    public class func classForCoder() -> AnyClass { self }
}
