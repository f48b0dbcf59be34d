import ManagedObjectModel

/// What the framework hands to the initialiser of a managed object class that it makes an instance of.
///
/// Swift has no way to allocate an object without running an initialiser, and clients override
/// `init(entity:insertInto:)`; so the framework calls ``NSManagedObject/init(_seed:)``, which every subclass inherits and
/// which runs their override.
public final class ManagedObjectSeed {
    let entity: NSEntityDescription
    let insertionContext: NSManagedObjectContext?

    init(entity: NSEntityDescription, insertionContext: NSManagedObjectContext? = nil) {
        self.entity = entity
        self.insertionContext = insertionContext
    }
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
        let entity = context.model.entity(ofClass: Self.self)
        self.init(_seed: ManagedObjectSeed(entity: entity, insertionContext: context))
    }
}
