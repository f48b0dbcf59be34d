@_spi(Engine) import CoreDataRows

extension FieldValue {
    /// The destination of a to-one as the object graph has it; nil where the value is another one.
    @inline(__always)
    var destination: NSManagedObject? {
        // The object graph puts nothing else there.
        if case .destination(let object) = self { return unsafeDowncast(object, to: NSManagedObject.self) }
        return nil
    }
}

extension NSManagedObjectID: ObjectIdentifying {}

extension NSManagedObject: ValueOwner {
    package final var nameInErrors: String { objectID.uriRepresentation().absoluteString }
}
