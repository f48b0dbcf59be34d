import Foundation

/// Looks a keyed archive over before it is decoded: Foundation's unarchiver on Linux ends the program at an object of
/// a class that wasn't asked for, and at values of its own classes that lack a part.
struct SecureArchive {
    /// Why an archive won't be decoded.
    struct Rejection: Error, CustomStringConvertible {
        let description: String
    }

    /// How deep collections may nest.
    static let maximumDepth = 64
    /// How many objects may lead to each other in a row: Foundation decodes each within the one before it.
    private static let maximumLength = 512
    /// How many objects a value may unfold to whose archive has fewer.
    private static let maximumSize = 1_000_000

    let objects: [Any]
    /// The classes that the root may be of.
    private let allowed: [AnyClass]
    /// Whether classes of the program itself are allowed too.
    private let allowsOwnClasses: Bool
    /// Whether the objects are those that objects of the program's own classes decode: which classes these take is for them to
    /// say, but Foundation's objects have to be whole there too.
    private let isWithinOwn: Bool
    /// Those objects that were looked over, apart for those within ``compounds``. Several may lead to one, which is looked over once: a
    /// small archive could otherwise unfold without end.
    private var measures: [Bool: [Int: Measure]] = [:]
    /// How many of Foundation's objects that decode all within them are around what is being looked over.
    private var compoundDepth = 0
    private var unsecured: [ObjectIdentifier: AnyClass] = [:]
    /// The objects that lead to the one that is being looked over.
    private var path: Set<Int> = []
    /// How many of these are collections directly within each other.
    private var depth = 0
    private var ownObjects: [Int] = []
    /// Foundation's, whose parts no list of classes speaks of.
    private var compounds: [Int] = []
    /// Whether it has an object that Foundation on Linux doesn't decode as it was.
    private var isBeyondFoundation = false
    /// Elements of dictionaries of which only decoding shows whether Foundation makes something of them, those within others first.
    private var uncertainElements: [Int] = []

    struct Measure {
        /// How deep the collections go that lie directly within each other.
        var height = 1
        /// How many objects lead to each other in a row.
        var length = 1
        /// How many objects it leads to, where each place has a copy of its own: comparing such values goes through all.
        var size = 1
        /// Whether a set with an array or a dictionary in it is among them.
        var hasSetOfCollections = false

        mutating func add(_ part: Measure) {
            height = max(height, part.height + 1)
            length = max(length, part.length + 1)
            size += part.size
            hasSetOfCollections = hasSetOfCollections || part.hasSetOfCollections
        }
    }

    private init(objects: [Any], allowed: [AnyClass], allowsOwnClasses: Bool, isWithinOwn: Bool) {
        self.objects = objects
        self.allowed = allowed
        self.allowsOwnClasses = allowsOwnClasses
        self.isWithinOwn = isWithinOwn
    }

    /// The root of an archive that was looked over.
    ///
    /// - Parameters:
    ///   - allowed: the classes that the root may be of.
    ///   - isSecure: whether these are what secure coding asks for; otherwise it does without.
    ///   - allowsOwnClasses: whether the root may be of any class of the program's own, too.
    ///   - noteUnsecured: is told each class of the program's own that isn't `NSSecureCoding`'s.
    /// - Throws: ``Rejection``, and why the archive can't be decoded: what was read in part would be taken for the whole.
    static func root(
        of data: Data, allowed: [AnyClass], isSecure: Bool, allowsOwnClasses: Bool = false,
        noteUnsecured: (AnyClass) -> Void = { _ in }
    ) throws -> Any? {
        let own = try check(
            data, allowed: allowed, allowsOwnClasses: allowsOwnClasses, noteUnsecured: noteUnsecured)
        let classes = isSecure ? allowed + propertyListClasses : nil
        if let own { return try KeyedArchiveDecoder.root(of: own, classes: classes) }
        return try decodedByFoundation(data, classes)
    }

    /// Whether an archive that was just made is decoded to something. Only where the program's own classes take part, it's tried.
    ///
    /// - Throws: ``Rejection``, and what these classes fail with.
    static func isReadable(_ data: Data, allowed: [AnyClass], isSecure: Bool, allowsOwnClasses: Bool) throws -> Bool {
        guard let own = try check(data, allowed: allowed, allowsOwnClasses: allowsOwnClasses) else { return true }
        return try KeyedArchiveDecoder.root(of: own, classes: isSecure ? allowed + propertyListClasses : nil) != nil
    }

    /// - Parameter classes: those that secure coding asks for; nil to do without it.
    private static func decodedByFoundation(_ data: Data, _ classes: [AnyClass]?) throws -> Any? {
        let decoder = try foundationDecoder(of: data, isSecure: classes != nil)
        defer { decoder.finishDecoding() }
        let root =
            classes == nil
            ? decoder.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
            : decoder.decodeObject(of: classes, forKey: NSKeyedArchiveRootObjectKey)
        if let error = decoder.error { throw error }
        return root
    }

    static func foundationDecoder(of data: Data, isSecure: Bool) throws -> NSKeyedUnarchiver {
        let decoder = try NSKeyedUnarchiver(forReadingFrom: data)
        decoder.requiresSecureCoding = isSecure
        decoder.decodingFailurePolicy = .setErrorAndReturn
        return decoder
    }

    /// Throws unless the root, and everything in it down to objects that decode themselves, is of an allowed class.
    ///
    /// - Parameter noteUnsecured: is told each class of the program's own that isn't `NSSecureCoding`'s.
    /// - Returns: the archive as a property list, if ``KeyedArchiveDecoder`` is to decode it, as it has objects of the program's
    ///   own classes, or of Foundation's that it doesn't decode as they were.
    private static func check(
        _ data: Data, allowed: [AnyClass], allowsOwnClasses: Bool = false, noteUnsecured: (AnyClass) -> Void = { _ in }
    ) throws -> [String: Any]? {
        guard BinaryPropertyList.isPlain(data) else {
            throw Rejection(description: "The data isn't a binary property list as archives are")
        }
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        guard let archive = list as? [String: Any], let objects = archive["$objects"] as? [Any],
            let top = archive["$top"] as? [String: Any], let root = top[NSKeyedArchiveRootObjectKey]
        else { throw Rejection(description: "The data isn't a keyed archive") }
        // What a collection holds may be anything that Foundation's own value classes are.
        var secure = SecureArchive(
            objects: objects, allowed: allowed, allowsOwnClasses: allowsOwnClasses, isWithinOwn: false)
        _ = try secure.check(root)
        var rest = SecureArchive(objects: objects, allowed: allowed, allowsOwnClasses: true, isWithinOwn: true)
        for index in secure.ownObjects + secure.compounds { _ = try rest.check(at: index) }
        for type in secure.unsecured.values { noteUnsecured(type) }
        try requireDecodable(rest.uncertainElements + secure.uncertainElements, in: archive)
        return secure.ownObjects.isEmpty && !secure.isBeyondFoundation ? nil : archive
    }

    private mutating func check(_ reference: Any?) throws -> Measure {
        guard let index = Self.index(reference), objects.indices.contains(index) else {
            throw Rejection(description: "The archive refers to an object that isn't there")
        }
        return try check(at: index)
    }

    private mutating func check(at index: Int) throws -> Measure {
        guard !path.contains(index) else {
            // Foundation on Linux decodes an object before others can lead to it, so such a one without end.
            throw Rejection(description: "The archive has an object that leads to itself")
        }
        let measure: Measure
        if let known = measures[compoundDepth > 0]?[index] {
            measure = known
        } else {
            guard depth < Self.maximumDepth, path.count < Self.maximumLength else { throw Self.tooDeep }
            path.insert(index)
            defer { path.remove(index) }
            measure = try checkObject(at: index)
            measures[compoundDepth > 0, default: [:]][index] = measure
        }
        guard measure.size <= max(Self.maximumSize, objects.count) else {
            throw Rejection(description: "The archive's collections lead to others again and again, too often")
        }
        guard depth + measure.height <= Self.maximumDepth, path.count + measure.length <= Self.maximumLength else {
            throw Self.tooDeep
        }
        return measure
    }

    /// What a property list is made of may be in whatever is allowed, named or not, as on Apple's platforms.
    static let propertyListClasses: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    ]

    private static let tooDeep = Rejection(description: "The archive has objects within objects, too deep")

    private mutating func checkObject(at index: Int) throws -> Measure {
        guard let fields = objects[index] as? [String: Any], fields["$class"] != nil else {
            if !isWithinOwn { try checkPlain(objects[index]) }
            return Measure()
        }
        let type: AnyClass = try checkClass(of: fields)
        if !Self.isOwn(type) { return try checkFields(of: type, fields, at: index) }
        guard isWithinOwn else {
            ownObjects.append(index)
            return Measure()
        }
        return try checkOwnFields(fields)
    }

    private mutating func checkClass(of fields: [String: Any]) throws -> AnyClass {
        guard let type = Self.namedClass(of: fields, in: objects) else {
            throw Rejection(description: "The archive has an object of an unknown class")
        }
        if !isWithinOwn {
            try checkClass(type)
        } else if !Self.isOwn(type), !(Self.wholeClasses + allowed).contains(where: { Self.isClass(type, in: $0) }) {
            throw Rejection(description: "Objects of the class \(type) aren't decoded as parts of others")
        }
        return type
    }

    /// The class that an archive names for an object; nil where it names none, or the program has none of that name.
    static func namedClass(of fields: [String: Any], in objects: [Any]) -> AnyClass? {
        guard let index = index(fields["$class"]), objects.indices.contains(index),
            let description = objects[index] as? [String: Any], let name = description["$classname"] as? String,
            description["$classes"] is [String]
        else { return nil }
        return NSKeyedUnarchiver.class(forClassName: name) ?? Foundation.NSClassFromString(name)
    }

    /// Looks over what an object of a class leads to that decodes itself.
    private mutating func checkOwnFields(_ fields: [String: Any]) throws -> Measure {
        var measure = Measure()
        let collections = depth
        depth = 0
        defer { depth = collections }
        for (key, value) in fields where key != "$class" {
            for reference in value as? [Any] ?? [value] where Self.index(reference) != nil {
                measure.add(try check(reference))
            }
        }
        measure.height = 1
        return measure
    }

    private mutating func checkClass(_ type: AnyClass) throws {
        let classes = depth > 0 ? allowed + Self.propertyListClasses : allowed
        guard classes.contains(where: { Self.isClass(type, in: $0) }) || allowsOwnClasses && Self.isOwn(type) else {
            throw Rejection(description: "The class \(type) isn't among the allowed ones, \(allowed)")
        }
        if allowsOwnClasses, Self.isOwn(type), (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
            unsecured[ObjectIdentifier(type)] = type
        }
    }

    /// Strings, numbers and the like stand in an archive as they are.
    private mutating func checkPlain(_ value: Any) throws {
        switch value {
        case let text as String where text == "$null": return
        case is String: try checkClass(NSString.self)
        case is Data: try checkClass(NSData.self)
        case is Date: try checkClass(NSDate.self)
        case is NSNumber: try checkClass(NSNumber.self)
        default: throw Rejection(description: "The archive has an object without a class")
        }
    }

    private mutating func checkFields(of type: AnyClass, _ fields: [String: Any], at index: Int) throws -> Measure {
        var measure = Measure()
        if Self.isCollection(type) {
            // It decodes as often as the archive says that an object is in it.
            guard type != NSCountedSet.self else { throw Rejection(description: "The archive has a counted set") }
            depth += 1
            defer { depth -= 1 }
            guard let references = Self.references(in: fields, of: type) else {
                throw Rejection(description: "A collection of the archive has no list of elements")
            }
            let keys = fields["NS.keys"] as? [Any] ?? []
            for reference in keys + references {
                measure.add(try check(reference))
                // Foundation leaves it out, and then has more keys than values.
                if let element = Self.index(reference), objects[element] as? String == "$null" {
                    throw Rejection(description: "A collection of the archive has no object as an element")
                }
                if type is NSDictionary.Type, let element = Self.index(reference) {
                    try checkElement(element, isDecodedByFoundation: compoundDepth > 0)
                    if isUncertain(element) { uncertainElements.append(element) }
                }
            }
            if Self.isClass(type, in: NSSet.self) { try checkMembers(references, &measure) }
            try checkKeys(keys)
            guard !(type is NSDictionary.Type) || keys.count == references.count else {
                throw Rejection(description: "A collection of the archive lacks elements")
            }
        } else if Self.isClass(type, in: NSString.self) {
            guard fields["NS.string"] is String else {
                throw Rejection(description: "A string of the archive has no text")
            }
        } else if type == NSUUID.self {
            guard (fields["NS.uuidbytes"] as? Data)?.count == 16 else {
                throw Rejection(description: "A UUID of the archive doesn't have 16 bytes")
            }
        } else if type == NSDecimalNumber.self {
            guard ArchivedDecimalNumber.number(fields) != nil else {
                throw Rejection(description: "A decimal number of the archive lacks a part")
            }
            isBeyondFoundation = true
        } else if type == NSDate.self {
            guard fields["NS.time"] is NSNumber else {
                throw Rejection(description: "A date of the archive has no time")
            }
        } else if type == NSURL.self {
            guard let index = Self.index(fields["NS.relative"]), objects.indices.contains(index),
                let text = objects[index] as? String
            else { throw Rejection(description: "A URL of the archive has no text") }
            // The one makes nothing of some texts, and of others what ends the program when it becomes the other.
            guard text != "$null", NSURL(string: text) != nil, URL(string: text) != nil else {
                throw Rejection(description: "A URL of the archive has the text '\(text)', of which none can be made")
            }
            try checkBase(fields["NS.base"]).map { measure.add($0) }
        } else if !isWithinOwn {
            compounds.append(index)
            if Self.isClass(type, in: NSAttributedString.self) || type == NSDateInterval.self {
                isBeyondFoundation = true
            }
        } else {
            if type == NSDateInterval.self { try checkInterval(fields) }
            if type == NSIndexSet.self || type == NSMutableIndexSet.self {
                guard let count = fields["NSRangeCount"] as? Int, count <= 1 || fields["NSRangeData"] is Data else {
                    throw Rejection(description: "A set of indexes of the archive has no ranges")
                }
            }
            compoundDepth += 1
            defer { compoundDepth -= 1 }
            return try checkOwnFields(fields)
        }
        return measure
    }

    static func isCollection(_ type: AnyClass) -> Bool {
        let collections: [AnyClass] = [NSArray.self, NSSet.self, NSOrderedSet.self, NSDictionary.self]
        return collections.contains { isClass(type, in: $0) }
    }

    /// The elements of a collection, of a dictionary the values; nil where it has no list of them, or one with gaps.
    static func references(in fields: [String: Any], of type: AnyClass) -> [Any]? {
        guard isClass(type, in: NSOrderedSet.self) else { return fields["NS.objects"] as? [Any] }
        let count = fields.keys.count { $0.hasPrefix("NS.object.") }
        let references = (0..<count).compactMap { fields["NS.object.\($0)"] }
        return references.count == count ? references : nil
    }

    /// Foundation's classes that decode whatever these checks let through, without ending the program.
    private static let wholeClasses: [AnyClass] =
        propertyListClasses + [
            NSSet.self, NSOrderedSet.self, NSNull.self, NSUUID.self, NSURL.self, NSAttributedString.self, NSLocale.self,
            NSTimeZone.self, NSCalendar.self, NSDateComponents.self, NSDateInterval.self, NSMeasurement.self, Unit.self,
            UnitConverter.self, NSIndexSet.self, NSIndexPath.self, NSPersonNameComponents.self, NSValue.self,
            NSCharacterSet.self,
        ]

    private func checkInterval(_ fields: [String: Any]) throws {
        guard compoundDepth == 0 else {
            throw Rejection(description: "The archive has an interval of dates where Foundation decodes it")
        }
        func time(_ key: String) -> Double? {
            guard let index = Self.index(fields[key]), objects.indices.contains(index) else { return nil }
            return (objects[index] as? [String: Any])?["NS.time"] as? Double
        }
        guard let start = time("NS.startDate"), let end = time("NS.endDate"), start <= end else {
            throw Rejection(description: "An interval of the archive lacks a date, or ends before it begins")
        }
    }

    private mutating func checkBase(_ reference: Any?) throws -> Measure? {
        guard let index = Self.index(reference), objects.indices.contains(index), index != 0 else { return nil }
        guard let fields = objects[index] as? [String: Any], try checkClass(of: fields) == NSURL.self else {
            throw Rejection(description: "The base of a URL of the archive is no URL")
        }
        return try check(at: index)
    }

    /// A dictionary whose keys Swift can't hash, or takes for the same, ends the program when it becomes one of Swift's.
    private func checkKeys(_ references: [Any]) throws {
        var texts: Set<String> = []
        for reference in references {
            guard let index = Self.index(reference) else { continue }
            switch objects[index] {
            case let text as String:
                guard texts.insert(text).inserted else {
                    throw Rejection(description: "A dictionary of the archive has the key '\(text)' twice")
                }
            case let fields as [String: Any]
            where !isWithinOwn && (fields["NS.objects"] != nil || fields["NS.keys"] != nil):
                throw Rejection(description: "A dictionary of the archive has a collection as a key")
            default: continue
            }
        }
    }

    /// The number in a reference to an object, whose type Foundation keeps to itself.
    static func index(_ reference: Any?) -> Int? {
        guard let reference, "\(type(of: reference))".contains("UID") else { return nil }
        let value = Mirror(reflecting: reference).children.first { $0.label == "value" }?.value
        return (value as? any BinaryInteger).flatMap { Int(exactly: $0) }
    }
}
