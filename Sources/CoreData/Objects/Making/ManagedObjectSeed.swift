@_spi(Engine) import CoreDataRows
import CSwiftRuntime
import Foundation
import FoundationCompat
import ManagedObjectModel

/// What the framework hands to the initialiser of a managed object class that it makes an instance of.
///
/// Swift has no way to allocate an object without running an initialiser, and clients override
/// `init(entity:insertInto:)`; so the framework calls `NSManagedObject.made(by:)`, which runs their override.
@usableFromInline final class ManagedObjectSeed {
    /// What the program has called.
    enum Caller: UInt8 {
        case initializer, contextInitializer, insertNewObject

        var method: StaticString {
            switch self {
            case .initializer: "init(entity:insertInto:)"
            case .contextInitializer: "init(context:)"
            case .insertNewObject: "insertNewObject(forEntityName:into:)"
            }
        }
    }

    private let owned: OwnedLayout
    let insertionContext: NSManagedObjectContext?
    private let caller: Caller

    convenience init(
        layout: EntityLayout, insertionContext: NSManagedObjectContext? = nil, caller: Caller = .initializer
    ) {
        self.init(OwnedLayout(layout), insertionContext: insertionContext, caller: caller)
    }

    init(_ owned: OwnedLayout, insertionContext: NSManagedObjectContext?, caller: Caller = .initializer) {
        self.owned = owned
        self.insertionContext = insertionContext
        self.caller = caller
    }

    /// For an object of the entity of a class: that of the context's model, or else the one that the class gives.
    convenience init(of objectClass: NSManagedObject.Type, insertionContext: NSManagedObjectContext) {
        let entity = insertionContext.knownModel?.entity(ofClass: objectClass) ?? objectClass.entity()
        self.init(
            OwnedLayout(of: entity, in: insertionContext), insertionContext: insertionContext,
            caller: .contextInitializer)
    }

    /// The layout of the entity; kept alive with its model.
    var layout: EntityLayout { owned.layout }
    var model: ModelLayout { owned.model }
    var entity: NSEntityDescription { layout.entity }

    /// What the current thread is making an object of, if that is of the entity and for the context. Initialisers that clients
    /// override take an entity and a context; this saves them a look-up under a lock.
    @inline(__always)
    static func current(of entity: NSEntityDescription, in context: NSManagedObjectContext?) -> OwnedLayout? {
        guard let pointer = thread_object_seed() else { return nil }
        return Unmanaged<ManagedObjectSeed>.fromOpaque(pointer)._withUnsafeGuaranteedRef { seed in
            seed.entity === entity && seed.insertionContext === context ? seed.owned : nil
        }
    }

    /// The public method by which the current thread is making an object of the entity.
    static func method(making entity: NSEntityDescription) -> StaticString {
        guard let pointer = thread_object_seed() else { return Caller.initializer.method }
        return Unmanaged<ManagedObjectSeed>.fromOpaque(pointer)._withUnsafeGuaranteedRef { seed in
            seed.entity === entity ? seed.caller.method : Caller.initializer.method
        }
    }

    /// Makes this the thread's ``current`` seed, until an initialiser that keeps it has run, and returns what to set back then.
    func begin() -> UnsafeMutableRawPointer? {
        let outer = thread_object_seed()
        set_thread_object_seed(Unmanaged.passUnretained(self).toOpaque())
        return outer
    }

    /// Ends what ``begin()`` began.
    static func end(_ outer: UnsafeMutableRawPointer?) { set_thread_object_seed(outer) }
}

extension NSManagedObject {
    /// Makes an object of the class itself, by its `init(entity:insertInto:)`, which needn't be `required`.
    ///
    /// Calls the symbol of the initialiser that takes a seed: it allocates an instance of the class that it is called on.
    @_silgen_name("$s8CoreData15NSManagedObjectC9grownFromAcA07ManagedD4SeedC_tcfC")
    static func made(by seed: __owned ManagedObjectSeed) -> Self
}

extension NSObjectProtocol where Self: NSManagedObject {
    /// Makes an object of the receiver's entity and inserts it into a context.
    ///
    /// That is the entity of the context's model whose class it is, or else the one that `entity()` gives (Apple:
    /// `init(context:)`). Call it on the context's queue.
    public init(context: NSManagedObjectContext) {
        self.init(
            by: MetatypeConstruction {
                let objectClass = $0 as! NSManagedObject.Type
                return objectClass.made(by: ManagedObjectSeed(of: objectClass, insertionContext: context))
            })
    }

    /// The initialiser of the class, for metatype values.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        self.init(
            by: MetatypeConstruction {
                let owned = OwnedLayout(of: entity, in: context)
                let object = ($0 as! NSManagedObject.Type).made(
                    by: ManagedObjectSeed(owned, insertionContext: context))
                if context == nil { object.setDefaultValues() }
                return object
            })
    }

    /// `init()` on a metatype value.
    public init(_: Void = ()) { self.init(plainly: ()) }
}
