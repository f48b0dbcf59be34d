import Foundation

/// Writing by key to objects of any type.
enum KeyValueMutation {
    static func set(_ value: Any?, on object: Any, forKey key: String) {
        switch object {
        case let object as any KeyValueCoding:
            object.setKVCValue(value, forKey: key)
        case let dictionary as NSMutableDictionary:
            if let value {
                dictionary.setObject(value, forKey: key as NSString)
            } else {
                dictionary.removeObject(forKey: key)
            }
        case let defaults as UserDefaults:
            defaults.set(value, forKey: key)
        default:
            if type(of: object) is AnyClass, DeclaredProperties.set(value, on: object as AnyObject, forKey: key) {
                return
            }
            guard !(object is NSDictionary), let elements = Elements(object) else {
                stop(object, undefinedKey: key)
            }
            for element in elements.values {
                set(value, on: element, forKey: key)
            }
        }
    }

    static func set(_ value: Any?, on object: Any, at path: ParsedKeyPath) {
        // A missing object on the way swallows the value, as a message to nil does.
        guard let parent = parent(of: object, at: path) else { return }
        set(value, on: parent, forKey: path.keys[path.keys.count - 1])
    }

    /// The object that the last key of a path belongs to, and that key. A missing one stops the program.
    static func owner(of object: Any, at path: ParsedKeyPath) -> (owner: Any, key: String) {
        guard let parent = parent(of: object, at: path) else {
            fatalError("There is no object at the key path \(path.string) of \(type(of: object))")
        }
        return (parent, path.keys[path.keys.count - 1])
    }

    private static func parent(of object: Any, at path: ParsedKeyPath) -> Any? {
        orStop { try KeyValueAccess.value(of: object, at: ParsedKeyPath(keys: path.keys.dropLast())) }
    }

    static func coded(_ object: Any, _ key: String) -> any KeyValueCoding {
        guard let coded = object as? any KeyValueCoding else { stop(object, undefinedKey: key) }
        return coded
    }

    static func stop(_ object: Any, undefinedKey key: String) -> Never {
        fatalError(
            "[<\(type(of: object))> setValue:forUndefinedKey:]: this class is not key value coding-compliant for "
                + "the key \(key).")
    }
}
