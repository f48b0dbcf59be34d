/// The identity of an object inside one store: a number that the store gave out, and the concrete entity.
///
/// In a SQLite store the handle is the primary key (`Z_PK`); other stores intern their reference objects.
@_spi(Engine) public struct ObjectKey: Hashable, Sendable {
    /// The object's number in its store; negative while the object has a temporary ID.
    public var handle: Int64
    /// The place of the concrete entity in ``ModelLayout/entities``.
    public var entityIndex: Int32

    /// Makes a key of a handle and the index of the concrete entity.
    @inlinable
    public init(handle: Int64, entityIndex: Int32) {
        self.handle = handle
        self.entityIndex = entityIndex
    }

    /// Makes a key of a handle and the index of the concrete entity, which must fit into 32 bits.
    @inlinable
    public init(handle: Int64, entityIndex: Int) {
        self.init(handle: handle, entityIndex: Int32(entityIndex))
    }
}
