import CSwiftRuntime
import ManagedObjectModel

/// What the framework hands to the initialiser of a managed object class that it makes an instance of.
///
/// Swift has no way to allocate an object without running an initialiser, and clients override
/// `init(entity:insertInto:)`; so the framework calls ``NSManagedObject/init(_seed:)``, which every subclass inherits and
/// which runs their override.
public final class ManagedObjectSeed {
    let layout: EntityLayout
    /// Keeps ``layout`` alive.
    let model: ModelLayout
    let insertionContext: NSManagedObjectContext?

    init(layout: EntityLayout, insertionContext: NSManagedObjectContext? = nil) {
        self.layout = layout
        model = layout.model
        self.insertionContext = insertionContext
    }

    var entity: NSEntityDescription { layout.entity }

    /// What the current thread is making an object of. The initialisers that take entity and context, and which clients
    /// override, find by it what they would have to look up under a lock.
    static var current: ManagedObjectSeed? {
        guard let pointer = thread_object_seed() else { return nil }
        return Unmanaged<ManagedObjectSeed>.fromOpaque(pointer).takeUnretainedValue()
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

/// What offers `init(context:)` to every managed object class, in a form that subclasses may declare anew.
public protocol ContextInitializing: AnyObject {
    init(_seed: ManagedObjectSeed)
}

extension ContextInitializing where Self: NSManagedObject {
    /// Makes an object of the receiver's entity and inserts it into a context.
    ///
    /// The class must belong to exactly one entity of the context's model; otherwise the program stops with a message that
    /// names the class (Apple: `init(context:)`). Call it on the context's queue.
    public init(context: NSManagedObjectContext) {
        let model = context.model
        let entity = model.entity(ofClass: Self.self)
        self.init(_seed: ManagedObjectSeed(layout: model.layout(of: entity)!, insertionContext: context))
    }
}
