/// A map from handles to objects, which it doesn't retain; of another module's, which counts their references itself.
///
/// Nothing but a ``HandleMap`` for pointers: compiled here, where the compiler makes code for just these.
package struct PointerMap: ~Copyable {
    private var map = HandleMap<UnsafeMutableRawPointer>()

    package init() {}

    /// How many handles have an object.
    package var count: Int { map.count }

    /// The object of a handle.
    package subscript(_ handle: Int64) -> UnsafeMutableRawPointer? { map[handle] }

    /// Sets the object of a handle, and returns what was there.
    @discardableResult
    package mutating func set(_ object: UnsafeMutableRawPointer, for handle: Int64) -> UnsafeMutableRawPointer? {
        map.set(object, for: handle)
    }

    /// Removes a handle if it still stands for this object, and returns whether it did.
    package mutating func remove(_ object: UnsafeMutableRawPointer, for handle: Int64) -> Bool {
        map.remove(handle) { $0 == object }
    }

    /// Makes room for so many more.
    package mutating func reserve(_ additional: Int) { map.reserve(additional) }

    package func forEach(_ body: (UnsafeMutableRawPointer) -> Void) { map.forEach { body($1) } }
}
