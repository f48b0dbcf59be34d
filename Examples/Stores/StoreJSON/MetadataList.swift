import CoreData

/// A store's metadata as an XML property list.
public enum MetadataList {
    /// The list as the bytes of a file; an empty one for nil. Throws where a value has no form in a property list.
    public static func data(_ metadata: [String: Any]?) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: metadata ?? [:], format: .xml, options: 0)
    }

    /// - Parameter place: where the list comes from, for people to read.
    /// - Throws: an error that names the place where there is something else. Binary lists are something else: Foundation on
    ///   Linux ends the program at damaged ones.
    public static func read(_ data: Data, from place: String) throws -> [String: Any] {
        guard !data.starts(with: Data("bplist".utf8)),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let metadata = list as? [String: Any]
        else { throw JSONFormatError("\(place): the metadata is no XML property list of a dictionary") }
        return metadata
    }
}
