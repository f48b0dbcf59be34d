import Foundation
import ManagedObjectModel

/// The file of a store that is read and written as a whole.
struct AtomicStoreFile {
    let url: URL

    /// Whether nothing is to be kept: a store without a URL, or with that of the null device, is in memory only.
    var isNull: Bool { url.path == "/dev/null" }

    var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

    var isWritable: Bool { FileManager.default.isWritableFile(atPath: url.path) }

    /// The file's bytes; empty for a reservation.
    ///
    /// - Throws: an error that names the file: it is missing, a folder, or may not be read.
    func read() throws -> Data {
        guard exists else { throw ModelFileError(.unreadable, "there is no such file", in: url) }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw ModelFileError(.unreadable, "the file can't be read: \(error.localizedDescription)", in: url)
        }
    }

    /// The bytes of a file that must be a store, as for reading its metadata.
    func readStore() throws -> Data {
        let data = try read()
        guard !data.isEmpty else { throw ModelFileError(.malformed, "the file is empty", in: url) }
        return data
    }

    /// Takes the place with an empty file, so that nobody else does before the first save.
    func reserve() throws {
        do {
            try Data().write(to: url, options: .withoutOverwriting)
        } catch {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "A store can't be made at \(url.path): \(error.localizedDescription)",
                [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
        }
    }

    /// Removes a reservation. A file that holds anything stays.
    func removeReservation() {
        // Where nothing can be told of the file there is no reservation to remove.
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard (attributes?[.size] as? NSNumber)?.intValue == 0, attributes?[.type] as? FileAttributeType == .typeRegular
        else { return }
        // An empty file that can't be removed is as good as none when the store is opened again.
        try? FileManager.default.removeItem(at: url)
    }

    /// Replaces the file's contents: after a crash there are either the old ones or the new ones.
    func write(_ data: Data) throws {
        let target = url.resolvingSymlinksInPath()
        let temporary = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString)")
        do {
            try StoreFileMode.write(data, to: temporary, like: target)
            try Disk.rename(temporary, to: target)
        } catch {
            // The failure that is thrown is the one that matters; what stays behind is hidden and named for nobody.
            try? FileManager.default.removeItem(at: temporary)
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store at \(url.path) can't be written: \(error.localizedDescription)",
                [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
        }
    }
}
