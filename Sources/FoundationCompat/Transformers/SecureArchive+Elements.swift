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
}
