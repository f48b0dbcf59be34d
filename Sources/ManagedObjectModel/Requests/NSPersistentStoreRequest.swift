import Foundation

/// What a coordinator asks of its stores. Abstract: make one of the subclasses.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that the request is for; nil for all. The storey above, which has the type, wraps this.
    package final var affectedStoreObjects: [AnyObject]? {
        get { affectedStoreList.stores }
        set { affectedStoreList.stores = newValue }
    }

    /// Shared by two requests that are one, seen as two types.
    final var affectedStoreList = StoreList()

    final class StoreList {
        var stores: [AnyObject]?
    }

    /// What the request wants. Subclasses answer.
    open var requestType: NSPersistentStoreRequestType {
        fatalError("requestType is only defined for subclasses of NSPersistentStoreRequest.")
    }

    /// Makes a request for all stores.
    public override init() {
        super.init()
    }

    /// Returns a request of the same contents. Subclasses answer.
    open func copy(with zone: NSZone? = nil) -> Any {
        fatalError("copy(with:) is only defined for subclasses of NSPersistentStoreRequest.")
    }
}
