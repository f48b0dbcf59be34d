import Synchronization

/// The key paths by which Observation tells an object's properties apart, made once for each place in an entity.
enum ObservedKeyPaths {
    typealias Path = any KeyPath<NSManagedObject, Any?> & Sendable

    private static let known = Mutex<[Path]>([])

    static func path(of property: PropertyLayout) -> Path {
        known.withLock { known in
            while known.count <= property.index { known.append(make(known.count)) }
            return known[property.index]
        }
    }

    private static func make(_ index: Int) -> Path { \NSManagedObject.[observed: index] }
}

extension NSManagedObject {
    /// The value of the property at a place of the entity: what the key paths for observation lead to.
    fileprivate final subscript(observed index: Int) -> Any? { value(of: layout.properties[index]) }
}
