import CoreData

/// Files that a save brings to a folder: they are written beside the old ones first, and then put in their places one by one.
///
/// What goes wrong while they are written leaves the folder as it was. A machine that stops between two moves leaves a part of
/// them.
public final class FileBatch {
    private let waiting: URL
    private var moves: [(from: URL, to: URL)] = []

    /// Begins a batch.
    ///
    /// - Parameter folder: is made where there is none, in the place of a file of zero length too.
    public init(in folder: URL) throws {
        let files = FileManager.default
        waiting = folder.appendingPathComponent("saving-\(UUID().uuidString)")
        let attributes = try? files.attributesOfItem(atPath: folder.path)
        if attributes?[.type] as? FileAttributeType == .typeRegular, (attributes?[.size] as? NSNumber)?.intValue == 0 {
            try files.removeItem(at: folder)
        }
        if !files.fileExists(atPath: folder.path) {
            try files.createDirectory(at: folder, withIntermediateDirectories: false)
        }
        try files.createDirectory(at: waiting, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: waiting) }

    /// Takes a file into the batch.
    public func add(_ data: Data, as file: URL) throws {
        let source = waiting.appendingPathComponent("\(moves.count)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: source)
        moves.append((source, file))
    }

    /// Puts the files in their places, and removes others.
    public func commit(removing removed: [URL]) throws {
        for (source, target) in moves {
            guard rename(source.path, target.path) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: target.path])
            }
        }
        for file in removed { try FileManager.default.removeItem(at: file) }
    }
}
