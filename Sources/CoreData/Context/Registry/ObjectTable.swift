@_spi(Engine) import CoreDataRows
import CSwiftRuntime

/// The objects of one store and one root entity by handle. None of them is retained.
///
/// A row is of one entity, so that there is one object for a handle. But an ID that a stranger has made (a URI, the history in a
/// file) may name another entity of the hierarchy: neither the fault that it makes nor the row's object may take the place of the
/// other.
final class ObjectTable {
    // Safe: the registry's lock keeps accesses apart.
    @exclusivity(unchecked) var entries = PointerMap()
    // Safe: the registry's lock keeps accesses apart.
    /// What is alive although an object of another entity has its handle.
    @exclusivity(unchecked) private var displaced: [Int64: [UnsafeMutableRawPointer]] = [:]

    /// - Returns: whether the handle has an object more now, and what was displaced: the caller lets go of it outside of the lock, as
    ///   that may be its end.
    func add(_ pointer: UnsafeMutableRawPointer, _ layout: EntityLayout, handle: Int64) -> (
        isNew: Bool, displaced: NSManagedObject?
    ) {
        guard let previous = entries.set(pointer, for: handle) else { return (true, nil) }
        if !displaced.isEmpty, takeDisplaced(pointer, handle) {
            displaced[handle, default: []].append(previous)
            return (false, nil)
        }
        // One that is going away hands on its place.
        guard previous != pointer, let other = Self.retained(previous) else { return (false, nil) }
        guard other.layout !== layout else { return (false, other) }
        displaced[handle, default: []].append(previous)
        return (true, other)
    }

    /// - Returns: whether the object was there.
    func remove(_ pointer: UnsafeMutableRawPointer, handle: Int64) -> Bool {
        guard entries.remove(pointer, for: handle) else {
            return !displaced.isEmpty && takeDisplaced(pointer, handle)
        }
        if !displaced.isEmpty, let other = displaced[handle]?.last, takeDisplaced(other, handle) {
            entries.set(other, for: handle)
        }
        return true
    }

    /// The object that was registered last, as a rule the only one.
    @inline(__always)
    func object(for handle: Int64) -> NSManagedObject? { entries[handle].flatMap(Self.retained) }

    /// Every object with a handle.
    func objects(for handle: Int64) -> [NSManagedObject] {
        [object(for: handle)].compactMap(\.self) + (displaced[handle] ?? []).compactMap(Self.retained)
    }

    func append(to objects: inout [NSManagedObject]) {
        entries.forEach { pointer in
            if let object = Self.retained(pointer) { objects.append(object) }
        }
        for pointers in displaced.values { objects += pointers.compactMap(Self.retained) }
    }

    var isEmpty: Bool { entries.count == 0 && displaced.isEmpty }

    private func takeDisplaced(_ pointer: UnsafeMutableRawPointer, _ handle: Int64) -> Bool {
        guard let place = displaced[handle]?.firstIndex(of: pointer) else { return false }
        displaced[handle]?.remove(at: place)
        if displaced[handle]?.isEmpty ?? false { displaced[handle] = nil }
        return true
    }

    private static func retained(_ pointer: UnsafeMutableRawPointer) -> NSManagedObject? {
        guard retain_unless_deinitializing(pointer) != nil else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue()
    }
}
