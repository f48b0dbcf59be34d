import Foundation

/// Archives objects, and says why where it can't: Foundation's archiver on Linux ends the program at an object of a class that
/// it can't name, or that can't be archived, however deep it lies.
package enum CheckedArchiver {
    /// Why there is no archive.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// An archive that can be read back: one with something in it that reading would refuse is an error now, and not a value
    /// that is lost.
    ///
    /// - Parameters:
    ///   - allowed: the classes that the object may be of when it is read.
    ///   - allowsOwnClasses: whether it may be of the program's own classes too.
    /// - Throws: ``Failure``, which names the class that can't be archived.
    static func data(
        of object: Any, requiringSecureCoding isSecure: Bool, allowed: [AnyClass], allowsOwnClasses: Bool = false
    ) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: isSecure)
        let inspector = Inspector(isSecure: isSecure)
        archiver.delegate = inspector
        let substitutes = ArchiveSubstitutes()
        let root = substitutes.substitute(for: object)
        if let failure = substitutes.failure { throw failure }
        archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        if let failure = substitutes.failure ?? inspector.failure { throw failure }
        let data =
            inspector.hasNames ? try ArchivedClassNames.applied(to: archiver.encodedData) : archiver.encodedData
        do {
            guard
                try SecureArchive.isReadable(
                    data, allowed: allowed, isSecure: isSecure, allowsOwnClasses: allowsOwnClasses)
            else {
                throw Failure(description: "it couldn't be read back: its class makes no object of what it encodes")
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "it couldn't be read back: \(error)")
        }
        return data
    }

    /// What stands against archiving an object, whatever its class has in it.
    fileprivate static func reason(against object: Any) -> String? {
        // A value of Swift's is archived as the object that it is bridged to, if it is.
        guard object as AnyObject is any NSCoding else {
            return "\(String(reflecting: type(of: object))) isn't NSCoding"
        }
        // A program may have declared that String is an Error, say; what counts is the class that is archived.
        if object as AnyObject is NSError { return "Foundation on Linux can't archive errors" }
        if object as AnyObject is NSCountedSet { return "Foundation on Linux archives a counted set as an empty one" }
        if let text = object as? String, text == "$null" { return "'$null' stands for nil in archives" }
        return nil
    }

    /// Looks at each object before it is archived, and has another one archived instead of what would end the program.
    private final class Inspector: NSKeyedArchiverDelegate {
        private let isSecure: Bool
        private(set) var failure: Failure?
        /// Whether a class in the archive has another name there than Swift's.
        private(set) var hasNames = false

        init(isSecure: Bool) { self.isSecure = isSecure }

        func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
            // In a collection of a class of the program's own.
            if let number = object as AnyObject as? NSDecimalNumber {
                hasNames = true
                return ArchivedDecimalNumber(number)
            }
            let original = (object as? ArchivedOwnObject)?.object ?? object
            guard let reason = reason(against: original) else {
                if let type = type(of: original) as? AnyClass, ArchivedClassNames.contains(type) { hasNames = true }
                return object
            }
            failure = failure ?? Failure(description: reason)
            return NSNull()
        }

        private func reason(against object: Any) -> String? {
            if let reason = CheckedArchiver.reason(against: object) { return reason }
            if let dictionary = object as? NSDictionary,
                dictionary.allKeys.contains(where: { Elements($0 as AnyObject) != nil })
            {
                return "Foundation on Linux can't archive a dictionary with collections as keys"
            }
            guard let type = type(of: object) as? AnyClass, SecureArchive.isOwn(type) else { return nil }
            let name = String(reflecting: type)
            guard SecureArchive.hasName(type) else {
                return "Foundation on Linux can't archive objects of the nested, private or generic class \(name); "
                    + "declare the class at the top level of its file, not as private"
            }
            if isSecure, (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
                return "the class \(name) doesn't support secure coding"
            }
            return nil
        }

        func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
        func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
        func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
        func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    }
}

/// The elements of collections within collections, looked over before Foundation's archiver compares them with each other: it
/// ends the program at some, and takes time without measure where they are deep.
struct ArchivedElements {
    private var seen: [ObjectIdentifier: (object: AnyObject, height: Int)] = [:]
    private var depth = 0
    private var setsOfCollections = 0
    private var united = UnitedValues()

    /// To be called for all that an archive is to hold.
    mutating func check(_ value: Any) throws {
        try measure(value)
        guard let change = united.change else { return }
        throw CheckedArchiver.Failure(description: "it has \(change), which Foundation on Linux archives as one")
    }

    /// - Returns: how deep the value goes.
    @discardableResult
    private mutating func measure(_ value: Any) throws -> Int {
        united.note(value)
        if let reason = CheckedArchiver.reason(against: value) { throw CheckedArchiver.Failure(description: reason) }
        let object = value as AnyObject
        let identity = ObjectIdentifier(object)
        let height: Int
        if let known = seen[identity] {
            height = known.height
        } else {
            // Not of the object: what a list of Swift's holds is another collection where it is bridged.
            guard let elements = Elements(value) else { return 1 }
            try refuseCountedSets(among: elements, of: object)
            depth += 1
            defer { depth -= 1 }
            try checkDepth(1)
            var highest = 0
            if let dictionary = object as? NSDictionary {
                for key in dictionary.allKeys { highest = max(highest, try measure(key)) }
            }
            for element in elements.values { highest = max(highest, try measure(element)) }
            if object is NSSet, elements.values.contains(where: { $0 is NSArray || $0 is NSDictionary }) {
                setsOfCollections += 1
                guard setsOfCollections < 2 else {
                    throw CheckedArchiver.Failure(
                        description: "Foundation on Linux can't archive several sets that hold arrays or dictionaries")
                }
            }
            height = highest + 1
            seen[identity] = (object, height)
        }
        try checkDepth(height)
        return height
    }

    /// Foundation's collections on Linux give out a counted set as an empty set of Swift's; what they keep is shown by reflection only.
    private func refuseCountedSets(among elements: Elements, of collection: AnyObject) throws {
        guard elements.values.contains(where: { type(of: $0) == Set<AnyHashable>.self && ($0 as? NSSet)?.count == 0 })
        else { return }
        for child in Mirror(reflecting: collection).children {
            let kept = (child.value as? (key: NSObject, value: AnyObject))?.value ?? child.value as AnyObject
            if let reason = CheckedArchiver.reason(against: kept) { throw CheckedArchiver.Failure(description: reason) }
        }
    }

    private func checkDepth(_ height: Int) throws {
        guard depth + height <= SecureArchive.maximumDepth else {
            throw CheckedArchiver.Failure(description: "it has collections within collections, too deep")
        }
    }
}
