import CoreData
import Foundation

/// What the file of an ``ArchiveStore`` holds.
struct StoreArchive {
    var metadata: [String: Any] = [:]
    var objects: [ArchivedObject] = []

    /// - Returns: nil where there is no file, or one of zero length.
    /// - Throws: an error that names the file where it holds something else. `NSKeyedUnarchiver` on Linux ends the program at
    ///   many a damaged archive; the transformer looks an archive over before it has it decoded.
    static func read(from url: URL) throws -> StoreArchive? {
        guard url.path != "/dev/null", FileManager.default.fileExists(atPath: url.path) else { return nil }
        let data = try Data(contentsOf: url)
        if data.isEmpty { return nil }
        guard let root = NSSecureUnarchiveFromDataTransformer().transformedValue(data) else {
            throw ArchiveStoreError.noArchive(url)
        }
        guard let contents = root as? [String: Any], let metadata = contents["Metadata"] as? [String: Any],
            let objects = contents["Objects"] as? [[String: Any]]
        else { throw ArchiveStoreError.noStore(url) }
        return try StoreArchive(metadata: metadata, objects: objects.map { try ArchivedObject($0, in: url) })
    }

    /// Replaces the file as a whole.
    func write(to url: URL) throws {
        let contents: NSDictionary = [
            "Metadata": metadata as NSDictionary, "Objects": objects.map(\.contents) as NSArray,
        ]
        let data = try NSKeyedArchiver.archivedData(withRootObject: contents, requiringSecureCoding: true)
        try data.write(to: url, options: .atomic)
    }

    /// Removes a file of zero length.
    static func removeReservation(at url: URL) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular, (attributes?[.size] as? NSNumber)?.intValue == 0
        else { return }
        try? FileManager.default.removeItem(at: url)
    }
}

/// One object of the archive.
struct ArchivedObject {
    let reference: NSNumber
    let entityName: String
    let propertyData: [String: Any]
}

extension ArchivedObject {
    init(_ contents: [String: Any], in url: URL) throws {
        guard let reference = contents["idRefData"] as? NSNumber, let entityName = contents["entityName"] as? String,
            let propertyData = contents["propertyData"] as? [String: Any]
        else { throw ArchiveStoreError.noStore(url) }
        self.init(reference: reference, entityName: entityName, propertyData: propertyData)
    }

    fileprivate var contents: NSDictionary {
        ["idRefData": reference, "entityName": entityName as NSString, "propertyData": propertyData as NSDictionary]
    }
}
