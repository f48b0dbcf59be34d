import Foundation

/// What Foundation's archiver gets in the place of an object of the program's own. In the archive it has the object's class.
///
/// The archiver asks all that such an object encodes for its hash before it asks its delegate whether another object is to be archived
/// instead, and on Linux the hash of a decimal number never ends. So the object encodes itself with a coder that comes first.
final class ArchivedOwnObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let object: any NSObject & NSCoding
    private let substitutes: ArchiveSubstitutes

    fileprivate init(_ object: any NSObject & NSCoding, _ substitutes: ArchiveSubstitutes) {
        self.object = object
        self.substitutes = substitutes
    }

    /// Never decoded: in archives it is an object of the program's own.
    init?(coder: NSCoder) { nil }

    override var classForKeyedArchiver: AnyClass? { object.classForKeyedArchiver }

    func encode(with coder: NSCoder) { object.encode(with: SubstitutingCoder(coder, substitutes)) }
}

/// Finds what is archived in the place of decimal numbers and of the program's own objects, in collections too; an object has the
/// same substitute wherever it is met.
final class ArchiveSubstitutes {
    private var elements = ArchivedElements()
    private var known: [ObjectIdentifier: (original: AnyObject, substitute: AnyObject)] = [:]
    private var plainClasses: [ObjectIdentifier: Bool] = [:]
    /// What stands against archiving a value that was asked for.
    private(set) var failure: CheckedArchiver.Failure?

    /// The value itself where nothing need take its place; nil, and a failure, for what can't be archived.
    func substitute(for value: Any) -> Any? {
        do {
            try elements.check(value)
        } catch {
            failure = failure ?? error as? CheckedArchiver.Failure ?? CheckedArchiver.Failure(description: "\(error)")
            return nil
        }
        return replacement(of: value) ?? value
    }

    /// Nil where nothing takes the value's place.
    private func replacement(of value: Any) -> AnyObject? {
        let object = value as AnyObject
        let identity = ObjectIdentifier(object)
        if let known = known[identity] { return known.substitute === object ? nil : known.substitute }
        let substitute: AnyObject?
        if let number = object as? NSDecimalNumber {
            substitute = ArchivedDecimalNumber(number)
        } else if let coding = object as? any NSObject & NSCoding, isPlain(type(of: coding)) {
            substitute = ArchivedOwnObject(coding, self)
        } else {
            substitute = rebuilt(object)
        }
        // Only what stays alive has an identity of its own.
        if type(of: value) is AnyClass { known[identity] = (object, substitute ?? object) }
        return substitute
    }

    /// A collection of Foundation's own with the substitutes of its elements; nil where it has none.
    private func rebuilt(_ object: AnyObject) -> AnyObject? {
        switch object {
        case let array as NSArray:
            let isMutable = type(of: array) == NSMutableArray.self
            guard isMutable || type(of: array) == NSArray.self, let elements = replaced(array.map { $0 }) else {
                return nil
            }
            return isMutable ? NSMutableArray(array: elements) : NSArray(array: elements)
        case let set as NSSet:
            let isMutable = type(of: set) == NSMutableSet.self
            guard isMutable || type(of: set) == NSSet.self, let elements = replaced(set.map { $0 }) else { return nil }
            return isMutable ? NSMutableSet(array: elements) : NSSet(array: elements)
        case let set as NSOrderedSet:
            let isMutable = type(of: set) == NSMutableOrderedSet.self
            guard isMutable || type(of: set) == NSOrderedSet.self, let elements = replaced(set.map { $0 }) else {
                return nil
            }
            return isMutable ? NSMutableOrderedSet(array: elements) : NSOrderedSet(array: elements)
        case let dictionary as NSDictionary:
            let isMutable = type(of: dictionary) == NSMutableDictionary.self
            let pairs = dictionary.map { ($0.key, $0.value) }
            guard isMutable || type(of: dictionary) == NSDictionary.self,
                let both = replaced(pairs.map(\.0) + pairs.map(\.1))
            else { return nil }
            let keys = both.prefix(pairs.count).enumerated().map { $1 as? AnyHashable ?? AnyHashable($0) }
            let result = Dictionary(zip(keys, both.dropFirst(pairs.count))) { first, _ in first }
            return isMutable ? NSMutableDictionary(dictionary: result) : NSDictionary(dictionary: result)
        default:
            return nil
        }
    }

    /// Nil where none of the values has a substitute.
    private func replaced(_ values: [Any]) -> [Any]? {
        var isChanged = false
        let result = values.map { value -> Any in
            guard let substitute = replacement(of: value) else { return value }
            isChanged = true
            return substitute
        }
        return isChanged ? result : nil
    }

    /// Whether a class is the program's own, and inherits none of Foundation's but NSObject: others encode themselves by what only
    /// Foundation's archiver has.
    private func isPlain(_ type: AnyClass) -> Bool {
        let identity = ObjectIdentifier(type)
        if let known = plainClasses[identity] { return known }
        var current: AnyClass? = type
        while let candidate = current, candidate != NSObject.self, SecureArchive.isOwn(candidate) {
            current = _getSuperclass(candidate)
        }
        let isPlain = type != ArchivedDecimalNumber.self && current.map { $0 == NSObject.self } ?? true
        plainClasses[identity] = isPlain
        return isPlain
    }
}

/// Hands on what it is given to Foundation's archiver, and substitutes in the place of what that can't archive.
private final class SubstitutingCoder: NSCoder {
    private let archiver: NSCoder
    private let substitutes: ArchiveSubstitutes

    init(_ archiver: NSCoder, _ substitutes: ArchiveSubstitutes) {
        self.archiver = archiver
        self.substitutes = substitutes
    }

    private func substitute(_ object: Any?) -> Any? { object.flatMap(substitutes.substitute) }

    override var allowsKeyedCoding: Bool { archiver.allowsKeyedCoding }
    override var requiresSecureCoding: Bool { archiver.requiresSecureCoding }
    override var systemVersion: UInt32 { archiver.systemVersion }
    override func version(forClassName className: String) -> Int { archiver.version(forClassName: className) }
    override var error: (any Error)? {
        get { archiver.error }
        set { archiver.failWithError(newValue ?? CocoaError(.coderInvalidValue)) }
    }
    override func failWithError(_ error: any Error) { archiver.failWithError(error) }

    override func encode(_ object: Any?) { archiver.encode(substitute(object)) }
    override func encode(_ object: Any?, forKey key: String) { archiver.encode(substitute(object), forKey: key) }
    override func encodeConditionalObject(_ object: Any?) { archiver.encodeConditionalObject(substitute(object)) }
    override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        archiver.encodeConditionalObject(substitute(object), forKey: key)
    }
    override func encodePropertyList(_ list: Any) { archiver.encodePropertyList(substitute(list) ?? NSNull()) }

    override func encode(_ data: Data) { archiver.encode(data) }
    override func encode(_ value: Bool, forKey key: String) { archiver.encode(value, forKey: key) }
    override func encode(_ value: Int32, forKey key: String) { archiver.encode(value, forKey: key) }
    override func encode(_ value: Int64, forKey key: String) { archiver.encode(value, forKey: key) }
    override func encode(_ value: Int, forKey key: String) { archiver.encode(value, forKey: key) }
    override func encode(_ value: Float, forKey key: String) { archiver.encode(value, forKey: key) }
    override func encode(_ value: Double, forKey key: String) { archiver.encode(value, forKey: key) }
    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        archiver.encodeBytes(bytes, length: length, forKey: key)
    }
    override func encodeBytes(_ bytes: UnsafeRawPointer?, length: Int) { archiver.encodeBytes(bytes, length: length) }
    override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) {
        if String(cString: type) == "@" {
            encode(address.assumingMemoryBound(to: Any?.self).pointee)
        } else {
            archiver.encodeValue(ofObjCType: type, at: address)
        }
    }
    override func encodeArray(ofObjCType type: UnsafePointer<Int8>, count: Int, at array: UnsafeRawPointer) {
        archiver.encodeArray(ofObjCType: type, count: count, at: array)
    }
}
