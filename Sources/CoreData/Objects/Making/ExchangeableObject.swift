import CSwiftRuntime
import Foundation

/// What ``NSManagedObject`` inherits from, so that an initialiser of it can give another object than the one it was called for.
///
/// `NSManagedObject(entity:insertInto:)` gives "an instance of the appropriate class for the entity" (Apple), as Objective-C's
/// initialisers can. Swift's can in one case: after a call of the superclass's initialiser `self` is what that has returned. Swift
/// has no way to write such an initialiser, so that one's body is in CSwiftRuntime. Not for clients.
open class ExchangeableObject: NSObject {
    private static let isInstalled: Void = install_object_exchange()

    /// Makes an object.
    public override init() { super.init() }

    /// Replaces `self` by another object. All of the object's own properties must be set: it is released.
    public dynamic init(exchangedFor other: AnyObject) {
        fatalError("The exchange of \(other) was not made ready.")
    }

    /// Must be called before the first exchange.
    final class func makeReady() { _ = isInstalled }
}
