import Foundation

extension NSManagedObjectModel {
    /// Reads a `.momd` bundle, whose current version it takes, or a `.mom` file. Returns nil where that fails;
    /// `ModelFile.read(_:version:)` says why.
    ///
    /// Source models (`.xcdatamodeld`, `.xcdatamodel`) are read as well, unlike on Apple's platforms.
    public convenience init?(contentsOf url: URL) {
        self.init()
        do {
            try ModelFile.read(url, version: nil, into: self)
        } catch {
            return nil
        }
    }

    /// The checksum of each version in a `.momd` bundle, by the versions' names.
    public class func __checksumsForVersionedModel(at url: URL) throws -> [String: String] {
        try ModelFile.readVersions(url).models.mapValues(\.versionChecksum)
    }
}
