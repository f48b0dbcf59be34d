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
    /// How many of its values without a key it has decoded.
    private var position = 0
    private var made: [Int: AnyObject] = [:]
    private var failure: (any Error)?
    private var foundationDecoder: NSKeyedUnarchiver?

    /// The root of an archive.
    ///
    /// - Parameter classes: what it may be of, and with it what collections in it hold; nil for anything.
    /// - Throws: an error for an object of another class, and what ``failWithError(_:)`` was called with.
    static func root(of archive: [String: Any], classes: [AnyClass]?) throws -> Any? {
        let decoder = KeyedArchiveDecoder(archive, isSecure: classes != nil)
        let root = decoder.object((archive["$top"] as? [String: Any])?[NSKeyedArchiveRootObjectKey], classes, "root")
        decoder.foundationDecoder?.finishDecoding()
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
        if !(objects[index] is [String: Any]) { return plainValue(objects[index], classes, key) }
        if let object = made[index] { return checked(object, classes, key) }
        made[index] = decoded(index, classes, key)
        return made[index]
    }

    private func plainValue(_ value: Any, _ classes: [AnyClass]?, _ key: String) -> AnyObject? {
        // Foundation archives mutable strings as if they were plain ones.
        if let text = value as? String, let classes, classes.contains(where: { $0 == NSMutableString.self }),
            !classes.contains(where: { $0 == NSString.self })
        {
            return NSMutableString(string: text)
        }
        return checked(value as AnyObject, classes, key)
    }

    private func checked(_ object: AnyObject, _ classes: [AnyClass]?, _ key: String) -> AnyObject? {
        isAllowed(type(of: object), by: classes, key) ? object : nil
    }

    private func isAllowed(_ type: AnyClass, by classes: [AnyClass]?, _ key: String) -> Bool {
        // Without classes to choose from, secure coding gives what a property list may hold, as Apple's does.
        let asked = classes ?? (isSecure ? SecureArchive.propertyListClasses : nil)
        if let asked, !asked.contains(where: { SecureArchive.isClass(type, in: $0) }) {
            fail("the value of the key '\(key)' is of the class \(type), and not of \(asked)")
            return false
        }
        if isSecure, SecureArchive.isOwn(type), (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
            fail("the value of the key '\(key)' is of the class \(type), which doesn't support secure coding")
            return false
        }
        return true
    }

    private func decoded(_ index: Int, _ classes: [AnyClass]?, _ key: String) -> AnyObject? {
        guard let fields = objects[index] as? [String: Any],
            let type = SecureArchive.namedClass(of: fields, in: objects)
        else {
            return nil
        }
        // Before anything of the class runs: what asks for a string isn't to make an object of another class first.
        guard isAllowed(type, by: classes, key) else { return nil }
        if !SecureArchive.isOwn(type) {
            return value(of: type, fields, classes, key) ?? (failure == nil ? decodedByFoundation(index) : nil)
        }
        guard let coding = type as? any NSCoding.Type else { return nil }
        let outer = (self.fields, position)
        (self.fields, position) = (fields, 0)
        defer { (self.fields, position) = outer }
        return coding.init(coder: self) as AnyObject?
    }

    /// What may have objects of the program's in it, and what Foundation on Linux doesn't decode as it was: a mutable string, text without
    /// attributes, which it calls damaged, and an interval of dates, whose end it takes to be its start.
    private func value(of type: AnyClass, _ fields: [String: Any], _ classes: [AnyClass]?, _ key: String) -> AnyObject?
    {
        if type == NSDecimalNumber.self { return ArchivedDecimalNumber.number(fields) }
        if SecureArchive.isClass(type, in: NSString.self), let text = fields["NS.string"] as? String {
            return type is NSMutableString.Type ? NSMutableString(string: text) : NSString(string: text)
        }
        if SecureArchive.isClass(type, in: NSAttributedString.self), fields["NSAttributeInfo"] == nil {
            return attributedString(fields, isMutable: type is NSMutableAttributedString.Type, key)
        }
        if type == NSDateInterval.self {
            guard let start = object(fields["NS.startDate"], [NSDate.self], key) as? Date,
                let end = object(fields["NS.endDate"], [NSDate.self], key) as? Date, start <= end
            else { return nil }
            return NSDateInterval(start: start, end: end)
        }
        guard let members = SecureArchive.references(in: fields, of: type).flatMap({ members($0, classes, key) }) else {
            return nil
        }
        switch type {
        case is NSMutableArray.Type: return NSMutableArray(array: members)
        case is NSArray.Type: return NSArray(array: members)
        case is NSMutableSet.Type: return NSMutableSet(array: members)
        case is NSSet.Type: return NSSet(array: members)
        case is NSMutableOrderedSet.Type: return NSMutableOrderedSet(array: members)
        case is NSOrderedSet.Type: return NSOrderedSet(array: members)
        case is NSDictionary.Type:
            guard let references = fields["NS.keys"] as? [Any],
                let keys = self.members(references, classes, key) as? [NSObject]
            else { return nil }
            return type is NSMutableDictionary.Type
                ? NSMutableDictionary(objects: members, forKeys: keys) : NSDictionary(objects: members, forKeys: keys)
        default: return nil
        }
    }

    /// A text that has the same attributes from its beginning to its end, or none.
    private func attributedString(_ fields: [String: Any], isMutable: Bool, _ key: String) -> AnyObject? {
        guard let text = object(fields["NSString"], [NSString.self], key) as? String else { return nil }
        var attributes: [NSAttributedString.Key: Any]?
        if fields["NSAttributes"] != nil {
            // Foundation on Linux doesn't bridge a dictionary to one whose keys are no strings.
            guard let named = object(fields["NSAttributes"], nil, key) as? [String: Any] else {
                fail("the attributes of the value of the key '\(key)' can't be decoded")
                return nil
            }
            attributes = [:]
            for (name, value) in named { attributes?[NSAttributedString.Key(name)] = value }
        }
        return isMutable
            ? NSMutableAttributedString(string: text, attributes: attributes)
            : NSAttributedString(string: text, attributes: attributes)
    }

    /// - Returns: nil where a member can't be had.
    private func members(_ references: [Any], _ classes: [AnyClass]?, _ key: String) -> [AnyObject]? {
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

    /// An object of one of Foundation's classes.
    private func decodedByFoundation(_ index: Int) -> AnyObject? {
        do {
            let decoder = try foundationDecoder ?? SecureArchive.foundationDecoder(ofObjectsIn: archive)
            foundationDecoder = decoder
            let object = decoder.decodeObject(forKey: "\(index)")
            if let error = decoder.error { throw error }
            return object as AnyObject?
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

    override func version(forClassName className: String) -> Int { 0 }

    override func containsValue(forKey key: String) -> Bool { field(key) != nil }

    override func decodeObject(forKey key: String) -> Any? { object(field(key), nil, key) }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        object(field(key), classes, key)
    }

    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        object(field(key), [type], key) as? Object
    }

    override func decodePropertyList(forKey key: String) -> Any? {
        object(field(key), SecureArchive.propertyListClasses, key)
    }

    /// The archiver marks keys of the program's that begin as its own do.
    private func field(_ key: String) -> Any? { fields[key.hasPrefix("$") ? "$" + key : key] }

    /// The next of the values that were encoded without a key.
    override func decodeObject() -> Any? {
        defer { position += 1 }
        return object(fields["$\(position)"], nil, "$\(position)")
    }

    override func decodeBool(forKey key: String) -> Bool { number(key)?.boolValue ?? false }
    override func decodeInteger(forKey key: String) -> Int { number(key)?.intValue ?? 0 }
    override func decodeCInt(forKey key: String) -> CInt { number(key)?.int32Value ?? 0 }
    override func decodeInt32(forKey key: String) -> Int32 { number(key)?.int32Value ?? 0 }
    override func decodeInt64(forKey key: String) -> Int64 { number(key)?.int64Value ?? 0 }
    override func decodeFloat(forKey key: String) -> Float { number(key)?.floatValue ?? 0 }
    override func decodeDouble(forKey key: String) -> Double { number(key)?.doubleValue ?? 0 }

    private func number(_ key: String) -> NSNumber? {
        guard failure == nil, let value = field(key) else { return nil }
        // One that was encoded as an object is a number, too.
        let number = SecureArchive.index(value) == nil ? value as AnyObject : object(value, [NSNumber.self], key)
        if let number = number as? NSNumber { return number }
        fail("the value of the key '\(key)' is no number")
        return nil
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard let data = field(key) as? Data else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0.bindMemory(to: UInt8.self)) }
    }
}
