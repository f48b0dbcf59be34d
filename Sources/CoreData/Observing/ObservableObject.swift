/// An object that says, before any of its properties changes, that one is about to.
///
/// Combine has the protocol of this name on Apple's platforms, and managed objects conform to it there. There is no Combine
/// on Linux, so this one has what managed objects need: code that asks an object for its ``objectWillChange`` compiles and
/// works. A file that also imports another module with an `ObservableObject` says which one it means by
/// `typealias ObservableObject = Module.ObservableObject`.
public protocol ObservableObject: AnyObject {
    /// What tells of coming changes.
    var objectWillChange: ObservableObjectPublisher { get }
}

extension NSManagedObject: ObservableObject {
    /// The type of ``objectWillChange``.
    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// Tells, on the queue of the object's context, before modelled properties change, whoever changes them: the program,
    /// the other side of a relationship, a merge, a refresh, an undo.
    ///
    /// It may be sent by hand as well, for a property that the model doesn't have. Call it on the context's queue.
    public final var objectWillChange: ObservableObjectPublisher { ObservedObjects.publisher(of: self) }
}
