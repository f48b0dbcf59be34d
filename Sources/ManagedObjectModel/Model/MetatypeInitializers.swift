import Foundation
import FoundationCompat

// The initialisers of descriptions, models and requests on metatype values, as Apple's, being Objective-C's, have them all. The program
// stops where a subclass lacks the initialiser that is called.

extension NSObjectProtocol where Self: NSPropertyDescription {
    /// `init()` on a metatype value.
    public init(_: Void = ()) { self.init(plainly: ()) }
}

extension NSObjectProtocol where Self: NSEntityDescription {
    /// `init()` on a metatype value.
    public init(_: Void = ()) { self.init(plainly: ()) }
}

extension NSObjectProtocol where Self: AnyFetchRequest {
    /// `init()` on a metatype value.
    public init(_: Void = ()) { self.init(plainly: ()) }

    /// `init(entityName:)` on a metatype value.
    public init(entityName: String) {
        self.init(
            by: MetatypeConstruction {
                let request = ($0 as! NSObject.Type).madePlainly(()) as! AnyFetchRequest
                request.state.entityName = entityName
                return request
            })
    }
}
