/// The identity of an object inside one store: a number that the store gave out, and the concrete entity.
///
/// In a SQLite store the handle is the primary key (`Z_PK`); other stores intern their reference objects.
@_spi(Engine) public struct ObjectKey: Hashable, Sendable {
    public var handle: Int64
    /// The place of the concrete entity in ``ModelLayout/entities``.
    public var entityIndex: Int32

    @inlinable
    public init(handle: Int64, entityIndex: Int32) {
        self.handle = handle
        self.entityIndex = entityIndex
    }

    @inlinable
    public init(handle: Int64, entityIndex: Int) {
        self.init(handle: handle, entityIndex: Int32(entityIndex))
    }
}
