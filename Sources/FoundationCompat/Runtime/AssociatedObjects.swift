import Foundation

/// How an object holds a value that was associated with it (Apple: objc_AssociationPolicy).
public enum objc_AssociationPolicy: UInt, Sendable {
    /// Without keeping it. Apple's reference dangles once the value has gone; here it reads as nil then. A value that is no object,
    /// such as a number or a type, is kept: Apple's often never go.
    case OBJC_ASSOCIATION_ASSIGN = 0
    /// Keeps it. Here the same as `OBJC_ASSOCIATION_RETAIN`: every access is atomic.
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// Keeps it. Values aren't copied here.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    /// Keeps it.
    case OBJC_ASSOCIATION_RETAIN = 769
    /// Keeps it. Values aren't copied here.
    case OBJC_ASSOCIATION_COPY = 771
}

/// Associates a value with an object under a key, as extensions do that would have stored properties; nil takes it away
/// (Apple: objc_setAssociatedObject).
///
/// An addition for Linux, where there is no Objective-C runtime and the end of a Swift object isn't reported: the values of one
/// that went are let go when others are associated later.
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    AssociatedObjects.set(value, for: key, of: object as AnyObject, isWeak: policy == .OBJC_ASSOCIATION_ASSIGN)
}

/// The value that is associated with an object under a key (Apple: objc_getAssociatedObject).
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    AssociatedObjects.value(for: key, of: object as AnyObject)
}

/// Takes away everything that is associated with an object (Apple: objc_removeAssociatedObjects).
public func objc_removeAssociatedObjects(_ object: Any) { AssociatedObjects.removeAll(of: object as AnyObject) }

/// The values that are associated with objects.
private enum AssociatedObjects {
    private struct Owner {
        weak var object: AnyObject?
        var values: [UnsafeRawPointer: Held] = [:]
    }

    private enum Held {
        case strong(Any)
        case weak(WeakValue)

        var value: Any? {
            switch self {
            case .strong(let value): value
            case .weak(let reference): reference.value
            }
        }
    }

    private struct WeakValue {
        weak var value: AnyObject?
    }

    private static let lock = NSLock()
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var owners: [ObjectIdentifier: Owner] = [:]
    // Safe: read and written with the lock beside it held.
    /// How many owners there may be before those that went are looked for.
    nonisolated(unsafe) private static var limit = 64

    static func value(for key: UnsafeRawPointer, of object: AnyObject) -> Any? {
        lock.withLock {
            guard let owner = owners[ObjectIdentifier(object)], owner.object === object else { return nil }
            return owner.values[key]?.value
        }
    }

    static func set(_ value: Any?, for key: UnsafeRawPointer, of object: AnyObject, isWeak: Bool) {
        // What is let go may run code of the program, which may come here again.
        let released: [Any] = lock.withLock {
            var released = owners.count >= limit ? removeThoseGone() : []
            let id = ObjectIdentifier(object)
            var owner = owners[id] ?? Owner(object: object)
            if owner.object !== object {
                // Another object was at that place before.
                released.append(owner.values)
                owner = Owner(object: object)
            }
            if let old = owner.values[key] { released.append(old) }
            owner.values[key] = value.map { value in
                isWeak && type(of: value) is AnyClass ? .weak(WeakValue(value: value as AnyObject)) : .strong(value)
            }
            owners[id] = owner.values.isEmpty ? nil : owner
            return released
        }
        withExtendedLifetime(released) {}
    }

    static func removeAll(of object: AnyObject) {
        let released = lock.withLock { owners.removeValue(forKey: ObjectIdentifier(object)) }
        withExtendedLifetime(released) {}
    }

    private static func removeThoseGone() -> [Any] {
        let gone = owners.filter { $0.value.object == nil }
        for id in gone.keys { owners[id] = nil }
        limit = max(64, owners.count * 2)
        return gone.values.map { $0 as Any }
    }
}
