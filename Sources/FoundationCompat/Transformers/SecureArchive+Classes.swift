import Foundation

/// What classes of objects in archives are.
extension SecureArchive {
    /// Whether a class isn't one of Foundation's, which end the program where an archive lacks a part of theirs.
    static func isOwn(_ type: AnyClass) -> Bool { !String(reflecting: type).hasPrefix("Foundation.") }

    /// Whether a class is one that Foundation on Linux can name: it ends the program at those that are nested, generic or
    /// private.
    static func hasName(_ type: AnyClass) -> Bool {
        let name = String(reflecting: type)
        return name.count { $0 == "." } == 1 && !name.contains("<") && !name.contains("(")
    }

    static func isClass(_ type: AnyClass, in allowed: AnyClass) -> Bool {
        var current: AnyClass? = type
        while let candidate = current {
            if candidate == allowed { return true }
            current = _getSuperclass(candidate)
        }
        return false
    }
}
