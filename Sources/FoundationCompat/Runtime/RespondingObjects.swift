import Foundation

extension NSObjectProtocol {
    /// Whether the object has a method of that name (Apple: NSObjectProtocol).
    ///
    /// There is no run time on Linux that knows all methods: found are those that a selector brings along, and, where generated code
    /// registers them, `@objc` methods and properties, these by `name` and `setName:`.
    public func responds(to aSelector: Selector!) -> Bool { DeclaredNames.responds(self, to: aSelector) }
}

/// The names under which Objective-C's run time would find what a class declares.
package enum DeclaredNames {
    package static func responds(_ object: AnyObject, to selector: Selector) -> Bool {
        let name = selector.description
        if selector.isMethod(of: object) || DeclaredMethods.has(name, in: type(of: object)) { return true }
        if DeclaredProperties.keyPath(forKey: name, of: type(of: object)) != nil { return true }
        return keys(ofSetter: name).contains { key in
            KeyPathAccess.canSet(DeclaredProperties.keyPath(forKey: key, of: type(of: object)))
        }
    }

    /// The keys that a setter's name may mean: `name` and `Name` for `setName:`, none where it is no setter's.
    package static func keys(ofSetter name: String) -> [String] {
        guard name.hasPrefix("set"), name.hasSuffix(":"), name.count > 4 else { return [] }
        let key = String(name.dropFirst(3).dropLast())
        return [key.prefix(1).lowercased() + key.dropFirst(), key]
    }
}
