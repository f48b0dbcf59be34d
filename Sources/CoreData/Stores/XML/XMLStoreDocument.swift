import Foundation
import ManagedObjectModel

/// An XML store's file, taken apart as far as that is possible without a model.
struct XMLStoreDocument {
    /// The only version that there is (seen in all fixtures, from Mac OS X 10.5 on); binary stores have it too.
    static let version = "134481920"

    let metadata: [String: Any]
    /// The highest number given to an object (`nextObjectID`, which names the last one: seen in 26 of 30 fixtures).
    let lastReference: Int64
    let objects: [XMLTree]

    /// - Throws: an error with the line of what isn't as it should be.
    init(_ root: XMLTree) throws {
        guard root.name == "database" else { throw Self.malformed("this is no XML store", root) }
        guard let info = root.children.first, info.name == "databaseInfo" else {
            throw Self.malformed("the element \"databaseInfo\" is missing", root)
        }
        let version = try Self.text("version", in: info)
        guard version == Self.version else {
            throw ModelFileError(.unsupported, "the version of the store is \(version)", position: info.position)
        }
        guard let last = Int64(try Self.text("nextObjectID", in: info)),
            (0..<StoredObject.highestReference).contains(last)
        else { throw Self.malformed("nextObjectID is no number of an object", info) }
        lastReference = last
        var metadata = try Self.propertyList(in: info)
        metadata[NSStoreUUIDKey] = try Self.text("UUID", in: info)
        metadata[NSStoreTypeKey] = NSXMLStoreType
        self.metadata = metadata
        objects = Array(root.children.dropFirst())
    }

    private static func text(_ name: String, in info: XMLTree) throws -> String {
        guard let element = info.children.first(where: { $0.name == name }) else {
            throw malformed("the element \"\(name)\" is missing", info)
        }
        return element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func propertyList(in info: XMLTree) throws -> [String: Any] {
        guard let element = info.children.first(where: { $0.name == "metadata" })?.children.first else { return [:] }
        guard element.name == "plist", let value = element.children.first, element.children.count == 1,
            case .dictionary(let entries) = try XMLPropertyListReader.node(value)
        else { throw malformed("the metadata is no property list with a dictionary", element) }
        return entries.mapValues(MetadataPropertyList.value(of:))
    }

    static func malformed(_ what: String, _ element: XMLTree) -> ModelFileError {
        ModelFileError(.malformed, what, position: element.position)
    }
}
