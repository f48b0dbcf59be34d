// Combine declares `ObservableObject` on Apple's platforms, and there managed objects are such. No protocol of that name is
// declared here, where it would stand in the way of OpenCombine's in files that import both.

extension NSManagedObject {
    /// The type of ``objectWillChange``.
    public typealias ObjectWillChangePublisher = ManagedObjectPublisher

    /// Notifies, on the queue of the object's context, before modelled properties change, for every cause of the
    /// change: the program, the other side of a relationship, a merge, a refresh, an undo.
    ///
    /// It may be sent by hand as well, for a property that the model doesn't have. Call it on the context's queue.
    public final var objectWillChange: ManagedObjectPublisher { ObservedObjects.publisher(of: self) }
}
