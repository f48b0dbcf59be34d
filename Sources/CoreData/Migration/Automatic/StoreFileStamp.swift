import Foundation

/// Which file a path leads to, and when it was last written: what tells whether somebody has changed it meanwhile.
struct StoreFileStamp: Equatable {
    private let identifier: Int?
    private let size: Int?
    private let date: Date?

    /// Nil where there is no such file.
    init?(_ url: URL) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else { return nil }
        identifier = (attributes[.systemFileNumber] as? NSNumber)?.intValue
        size = (attributes[.size] as? NSNumber)?.intValue
        date = attributes[.modificationDate] as? Date
    }
}
