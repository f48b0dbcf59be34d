import Foundation

/// An object of a keyed archive: its class name and its undecoded fields.
///
/// Reading a field of another type than asked for throws and says which object and field it was.
package struct ArchivedObject {
    package let archive: KeyedArchive
    /// The object's number in the archive, which is its identity.
    let index: Int
    package let className: String
    private let fields: [String: PropertyListNode]

    init(archive: KeyedArchive, index: Int, className: String, fields: [String: PropertyListNode]) {
        self.archive = archive
        self.index = index
        self.className = className
        self.fields = fields
    }

    package func has(_ key: String) -> Bool {
        fields[key] != nil
    }

    package func object(_ key: String) throws -> ArchivedObject? {
        try fields[key].flatMap { try archive.object(at: $0, in: location) }
    }

    package func string(_ key: String) throws -> String? {
        guard let node = fields[key], let target = try archive.target(of: node) else { return nil }
        guard let text = try archive.text(target) else { throw mismatch(key, "a string") }
        return text
    }

    package func requiredString(_ key: String) throws -> String {
        guard let text = try string(key) else { throw mismatch(key, "a string") }
        return text
    }

    package func integer(_ key: String) throws -> Int {
        switch try fields[key].flatMap(archive.target) {
        case nil: return 0
        case .integer(let value): return value
        case .boolean(let value): return value ? 1 : 0
        case .real(let value):
            guard let integer = Int(exactly: value.rounded(.towardZero)) else { throw mismatch(key, "an integer") }
            return integer
        default: throw mismatch(key, "an integer")
        }
    }

    package func boolean(_ key: String, default missing: Bool = false) throws -> Bool {
        fields[key] == nil ? missing : try integer(key) != 0
    }

    package func data(_ key: String) throws -> Data? {
        switch try fields[key].flatMap(archive.target) {
        case nil: return nil
        case .data(let data): return data
        case .some(let node):
            guard let data = try ValueArchiveReader.value(node, in: archive) as? Data else {
                throw mismatch(key, "data")
            }
            return data
        }
    }

    package func real(_ key: String) throws -> Double {
        switch try fields[key].flatMap(archive.target) {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: throw mismatch(key, "a number")
        }
    }

    /// Any value of a property list or one of Foundation's value classes.
    package func value(_ key: String) throws -> Any? {
        try fields[key].flatMap { try ValueArchiveReader.value($0, in: archive) }
    }

    /// The members of an array or set, undecoded; nil for none.
    package func members(_ key: String) throws -> [PropertyListNode]? {
        guard let node = fields[key], let target = try archive.target(of: node) else { return nil }
        if case .array(let members) = target { return members }
        guard case .array(let members)? = target.dictionary?["NS.objects"] else { throw mismatch(key, "an array") }
        return members
    }

    /// The objects of an array or set.
    package func objects(_ key: String) throws -> [ArchivedObject] {
        try (members(key) ?? []).compactMap { try archive.object(at: $0, in: location) }
    }

    /// The strings of an array or set.
    package func strings(_ key: String) throws -> [String] {
        try (members(key) ?? []).map { member in
            guard let text = try archive.target(of: member).flatMap(archive.text) else {
                throw mismatch(key, "strings")
            }
            return text
        }
    }

    /// The pairs of a dictionary with string keys, undecoded.
    package func pairs(_ key: String) throws -> [(key: String, value: PropertyListNode)] {
        guard let node = fields[key], let target = try archive.target(of: node) else { return [] }
        guard case .dictionary(let dictionary) = target else { throw mismatch(key, "a dictionary") }
        let (keys, values) = try archive.columns(of: dictionary, for: self, key)
        guard keys.count == values.count else { throw mismatch(key, "as many values as keys") }
        return try zip(keys, values).map { name, value in
            guard let text = try archive.target(of: name).flatMap(archive.text) else {
                throw mismatch(key, "string keys")
            }
            return (text, value)
        }
    }

    package func mismatch(_ key: String, _ expectation: String) -> ModelFileError {
        ModelFileError(.malformed, "\(expectation) is expected for \(key)", at: location)
    }

    private var location: String { "object \(index) (\(className))" }
}

extension KeyedArchive {
    /// The characters of a string or string object; nil for anything else.
    fileprivate func text(_ node: PropertyListNode) throws -> String? {
        switch node {
        case .string(let text): return text
        case .dictionary(let fields):
            if case .string(let text)? = try fields["NS.string"].flatMap(target) { return text }
            if case .data(let bytes)? = try fields["NS.bytes"].flatMap(target) {
                return String(decoding: bytes, as: UTF8.self)
            }
            return nil
        default: return nil
        }
    }

    /// The keys and values of an ordinary dictionary, or of the kind with a fixed set of keys that stores' model
    /// caches use.
    fileprivate func columns(
        of dictionary: [String: PropertyListNode], for object: ArchivedObject, _ key: String
    ) throws -> (keys: [PropertyListNode], values: [PropertyListNode]) {
        if let keys = dictionary["NS.keys"]?.array, let values = dictionary["NS.objects"]?.array {
            return (keys, values)
        }
        guard let mapping = try dictionary["searchMapping"].flatMap(target)?.dictionary,
            let keys = try list(mapping["keys"]), let values = try list(dictionary["values"])
        else { throw object.mismatch(key, "a dictionary") }
        return (keys, values)
    }

    private func list(_ node: PropertyListNode?) throws -> [PropertyListNode]? {
        guard let node, let target = try target(of: node) else { return nil }
        return target.array ?? target.dictionary?["NS.objects"]?.array
    }
}
