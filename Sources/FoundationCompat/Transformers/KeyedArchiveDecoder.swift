import Foundation

/// Decodes objects of the program's own classes from a keyed archive that ``SecureArchive`` has looked over.
///
/// To Foundation's unarchiver on Linux a key that is missing is a failure, after which it gives nil for all that follows: a class
/// that leaves a key out, or has got a new one since, would come back in part. It also ends the program where an object is of
/// another class than the one asked for. Here, as on Apple's platforms, the one is nil and the other an error. What has nothing of
/// the program's in it, Foundation decodes.
final class KeyedArchiveDecoder: NSCoder {
    private let archive: [String: Any]
    private let objects: [Any]
    private let isSecure: Bool
    /// What the object that is being decoded has encoded.
    private var fields: [String: Any] = [:]
    private var made: [Int: AnyObject] = [:]
    private var failure: (any Error)?

    /// The root of an archive.
    ///
    /// - Parameter classes: what it may be of, and with it what collections in it hold; nil for anything.
    /// - Throws: an error for an object of another class, and what ``failWithError(_:)`` was called with.
    static func root(of archive: [String: Any], classes: [AnyClass]?) throws -> Any? {
        let decoder = KeyedArchiveDecoder(archive, isSecure: classes != nil)
        let root = decoder.object((archive["$top"] as? [String: Any])?[NSKeyedArchiveRootObjectKey], classes, "root")
        if let failure = decoder.failure { throw failure }
        return root
    }

    private init(_ archive: [String: Any], isSecure: Bool) {
        self.archive = archive
        objects = archive["$objects"] as? [Any] ?? []
        self.isSecure = isSecure
        super.init()
    }

    // MARK: Objects

    private func object(_ reference: Any?, _ classes: [AnyClass]?, _ key: String) -> AnyObject? {
        guard failure == nil, let index = SecureArchive.index(reference), objects.indices.contains(index) else {
            return nil
        }
        if objects[index] as? String == "$null" { return nil }
        guard let reference, let object = made[index] ?? decoded(index, reference, classes, key) else { return nil }
        if let classes, !classes.contains(where: { SecureArchive.isClass(type(of: object), in: $0) }) {
            fail("the value of the key '\(key)' is of the class \(type(of: object)), and not of \(classes)")
            return nil
        }
        made[index] = object
        return object
    }

    private func decoded(_ index: Int, _ reference: Any, _ classes: [AnyClass]?, _ key: String) -> AnyObject? {
        guard let fields = objects[index] as? [String: Any],
            let type = SecureArchive.namedClass(of: fields, in: objects)
        else {
            return objects[index] as AnyObject
        }
        if let members = members(of: fields, "NS.objects", classes, key) {
            switch type {
            case is NSMutableArray.Type: return NSMutableArray(array: members)
            case is NSArray.Type: return NSArray(array: members)
            case is NSMutableSet.Type: return NSMutableSet(array: members)
            case is NSSet.Type: return NSSet(array: members)
            case is NSDictionary.Type:
                guard let keys = self.members(of: fields, "NS.keys", classes, key) as? [NSObject] else { return nil }
                return type is NSMutableDictionary.Type
                    ? NSMutableDictionary(objects: members, forKeys: keys)
                    : NSDictionary(objects: members, forKeys: keys)
            default: break
            }
        }
        guard SecureArchive.isOwn(type), let coding = type as? any NSCoding.Type else {
            return decodedByFoundation(reference)
        }
        let outer = self.fields
        self.fields = fields
        defer { self.fields = outer }
        return coding.init(coder: self) as AnyObject?
    }

    /// - Returns: nil where the object has no list of that name, or a member can't be had.
    private func members(of fields: [String: Any], _ list: String, _ classes: [AnyClass]?, _ key: String)
        -> [AnyObject]?
    {
        guard let references = fields[list] as? [Any] else { return nil }
        let allowed = classes.map { $0 + SecureArchive.propertyListClasses }
        var members: [AnyObject] = []
        for reference in references {
            guard let member = object(reference, allowed, key) else {
                fail("an element of the value of the key '\(key)' can't be decoded")
                return nil
            }
            members.append(member)
        }
        return members
    }

    /// An object of one of Foundation's classes: the root of an archive that is otherwise the same.
    private func decodedByFoundation(_ reference: Any) -> AnyObject? {
        var part = archive
        part["$top"] = [NSKeyedArchiveRootObjectKey: reference]
        do {
            let data = try PropertyListSerialization.data(fromPropertyList: part, format: .binary, options: 0)
            return try SecureArchive.decodedByFoundation(data, nil) as AnyObject?
        } catch {
            failWithError(error)
            return nil
        }
    }

    // MARK: What classes call

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { isSecure }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override var error: (any Error)? { failure }

    override func failWithError(_ error: any Error) { failure = failure ?? error }

    private func fail(_ reason: String) {
        failWithError(CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: reason]))
    }

    override func containsValue(forKey key: String) -> Bool { fields[key] != nil }

    override func decodeObject(forKey key: String) -> Any? { object(fields[key], nil, key) }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        object(fields[key], classes, key)
    }

    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        object(fields[key], [type], key) as? Object
    }

    override func decodePropertyList(forKey key: String) -> Any? {
        object(fields[key], SecureArchive.propertyListClasses, key)
    }

    override func decodeBool(forKey key: String) -> Bool { number(key)?.boolValue ?? false }
    override func decodeInteger(forKey key: String) -> Int { number(key)?.intValue ?? 0 }
    override func decodeCInt(forKey key: String) -> CInt { number(key)?.int32Value ?? 0 }
    override func decodeInt32(forKey key: String) -> Int32 { number(key)?.int32Value ?? 0 }
    override func decodeInt64(forKey key: String) -> Int64 { number(key)?.int64Value ?? 0 }
    override func decodeFloat(forKey key: String) -> Float { number(key)?.floatValue ?? 0 }
    override func decodeDouble(forKey key: String) -> Double { number(key)?.doubleValue ?? 0 }

    private func number(_ key: String) -> NSNumber? {
        guard failure == nil, let value = fields[key] else { return nil }
        if let number = value as AnyObject as? NSNumber { return number }
        fail("the value of the key '\(key)' is no number")
        return nil
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard let data = fields[key] as? Data else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0.bindMemory(to: UInt8.self)) }
    }
}
