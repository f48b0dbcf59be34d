import Foundation
import FoundationCompat

// The initialisers of descriptions, models and requests on metatype values, as Apple's, being Objective-C's, have them all. The program
// stops where a subclass lacks the initialiser that is called.

extension NSObjectProtocol where Self: NSPropertyDescription {
    /// `init()` on a metatype value.
    public init() { self.init(plainly: ()) }
}

extension NSObjectProtocol where Self: NSEntityDescription {
    /// `init()` on a metatype value.
    public init() { self.init(plainly: ()) }
}

extension NSObjectProtocol where Self: AnyFetchRequest {
    /// `init()` on a metatype value.
    public init() { self.init(plainly: ()) }

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

extension NSObjectProtocol where Self: NSManagedObjectModel {
    /// `init()` on a metatype value.
    public init() { self.init(plainly: ()) }

    /// `init(contentsOf:)` on a metatype value.
    public init?(contentsOf url: URL) {
        self.init(ifPossibleBy: MetatypeConstruction { ($0 as! NSManagedObjectModel.Type).made(contentsOf: url) })
    }

    /// `init(byMerging:)` on a metatype value.
    public init?(byMerging models: [NSManagedObjectModel]?) {
        self.init(ifPossibleBy: MetatypeConstruction { ($0 as! NSManagedObjectModel.Type).made(byMerging: models) })
    }
}

// The symbols are those of the convenience initialisers, which allocate an instance of the class that they are called on.
extension NSManagedObjectModel {
    @_silgen_name("$s18ManagedObjectModel09NSManagedbC0C10contentsOfACSg20FoundationEssentials3URLV_tcfC")
    fileprivate static func made(contentsOf url: __owned URL) -> Self?

    @_silgen_name("$s18ManagedObjectModel09NSManagedbC0C9byMergingACSgSayACGSg_tcfC")
    fileprivate static func made(byMerging models: __owned [NSManagedObjectModel]?) -> Self?
}
