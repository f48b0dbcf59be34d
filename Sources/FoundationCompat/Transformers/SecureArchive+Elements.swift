import Foundation

extension SecureArchive {
    /// Foundation's dictionaries read beyond their values where an element decodes to nothing, as a number does without its
    /// value. So each such element is decoded by itself before a dictionary is.
    static func requireDecodable(_ elements: [Int], in archive: [String: Any]) throws {
        guard !elements.isEmpty else { return }
        let decoder = try foundationDecoder(ofObjectsIn: archive)
        defer { decoder.finishDecoding() }
        for index in elements {
            let element = decoder.decodeObject(forKey: "\(index)")
            if let error = decoder.error { throw error }
            guard element != nil else {
                throw Rejection(description: "A dictionary of the archive has an element that can't be decoded")
            }
        }
    }

    /// A decoder of the same archive that has all of its objects as roots, under their numbers.
    static func foundationDecoder(ofObjectsIn archive: [String: Any]) throws -> NSKeyedUnarchiver {
        var references: [String: Any] = [:]
        func collect(_ value: Any) {
            if let index = index(value) { references["\(index)"] = value }
        }
        (archive["$top"] as? [String: Any])?.values.forEach(collect)
        for case let fields as [String: Any] in archive["$objects"] as? [Any] ?? [] {
            for value in fields.values {
                if let list = value as? [Any] { list.forEach(collect) } else { collect(value) }
            }
        }
        var part = archive
        part["$top"] = references
        return try foundationDecoder(
            of: PropertyListSerialization.data(fromPropertyList: part, format: .binary, options: 0), isSecure: false)
    }

    /// Whether an object that was looked over may decode to nothing all the same. The program's own classes aren't Foundation's to
    /// decode.
    func isUncertain(_ index: Int) -> Bool {
        guard let fields = objects[index] as? [String: Any], let type = Self.namedClass(of: fields, in: objects) else {
            return false
        }
        let wholeClasses: [AnyClass] = [NSUUID.self, NSDate.self, NSURL.self, NSDecimalNumber.self]
        let isWhole = wholeClasses.contains { $0 == type } || Self.isClass(type, in: NSString.self)
        return !isWhole && !Self.isCollection(type) && !Self.isOwn(type)
    }

    /// Whether an object of the program's own makes something of its archive is for it to say, so it can't be an element of a dictionary
    /// that Foundation decodes.
    func checkElement(_ index: Int, isDecodedByFoundation: Bool) throws {
        guard isDecodedByFoundation, let fields = objects[index] as? [String: Any],
            let type = Self.namedClass(of: fields, in: objects), Self.isOwn(type) || type == NSDecimalNumber.self
        else { return }
        throw Rejection(description: "A dictionary within an object of Foundation's has an object of the class \(type)")
    }

    /// Foundation ends the program where it compares two sets with arrays or dictionaries in them, as another set does with its members.
    func checkMembers(_ references: [Any], _ measure: inout Measure) throws {
        if measure.hasSetOfCollections {
            throw Rejection(description: "A set of the archive has sets in it that hold arrays or dictionaries")
        }
        measure.hasSetOfCollections = references.lazy.compactMap(Self.index).contains { index in
            // Other sets are members like any.
            let type: AnyClass? = (objects[index] as? [String: Any]).flatMap {
                Self.namedClass(of: $0, in: objects)
            }
            return type is NSArray.Type || type is NSDictionary.Type
        }
    }
}
