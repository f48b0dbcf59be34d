@_spi(Engine) import CoreDataRows
import Foundation
import Synchronization

/// Binary values that a store keeps in files of their own, and the byte in the row that says where a value is.
///
/// An attribute that allows external storage has a tag before its bytes: 1, and they follow; 2, and a file's name does
/// (seen in Photos stores).
package struct SQLiteExternalData: Sendable {
    static let inlineTag: UInt8 = 1
    static let fileTag: UInt8 = 2
    /// Values longer than that go to files. The longest inline one seen has 99,813 bytes.
    package static let threshold = 100_000

    /// `.<store name>_SUPPORT/_EXTERNAL_DATA` beside the store; nil for a store in memory, which keeps all values itself.
    package let folder: URL?
    package let missing = MissingExternalFiles()

    let store: URL

    package init(store: URL) {
        self.store = store
        folder = SQLiteFile.isInMemory(store) ? nil : SQLiteStoreFiles(store).externalValues
    }

    /// What stands in the row for a short value.
    package static func inline(_ value: Data) -> Data {
        var stored = Data([inlineTag])
        stored.append(value)
        return stored
    }

    /// Writes a long value to a file of its own, through to the disk. Its name is written through by
    /// ``synchronizeNames()``, once for all files of a transaction.
    ///
    /// - Returns: what stands in the row, and the file, which is to be removed where the save fails; nil for a value
    ///   that stays in the row.
    package func write(_ value: Data) throws -> (stored: Data, file: URL)? {
        guard let folder, value.count > Self.threshold else { return nil }
        let name = UUID().uuidString
        let file = folder.appendingPathComponent(name)
        do {
            try StoreFileMode.createFolder(folder, like: store)
            try StoreFileMode.write(value, to: file, like: store)
        } catch {
            // A part of the value is named by no row.
            Self.remove([file])
            throw error
        }
        return (Self.stored(name), file)
    }

    /// What stands in the row of a value in a file.
    static func stored(_ name: String) -> Data { Data([fileTag]) + Data(name.utf8) + Data([0]) }

    /// Writes the names of new files through to the disk. To be called before the transaction ends whose rows name them.
    package func synchronizeNames() throws {
        if let folder { try Disk.synchronize(folder) }
    }

    /// The file that a stored value names; nil for inline values.
    ///
    /// Only the name of a UUID is taken, so that no row can lead to another place.
    package func file(named stored: UnsafeRawBufferPointer) -> URL? {
        guard let folder, stored.count == 38, stored[0] == Self.fileTag, stored[37] == 0 else { return nil }
        let name = String(decoding: stored[1..<37], as: UTF8.self)
        guard let uuid = UUID(uuidString: name), uuid.uuidString == name else { return nil }
        return folder.appendingPathComponent(name)
    }

    /// Removes files. One that stays behind is only wasted space: no row names it.
    package static func remove(_ files: [URL]) {
        // Opening the store tries again, and the doctor finds them.
        for file in files { try? FileManager.default.removeItem(at: file) }
    }
}

/// The files that rows have named and that weren't there.
///
/// A file goes when a save has taken its row's value away, which a reader of the state before it doesn't know. Reading once
/// more finds the new value, or that the file is missing for good.
package final class MissingExternalFiles: Sendable {
    private let names = Mutex<Set<String>>([])

    package var count: Int { names.withLock { $0.count } }

    package func record(_ name: String) { names.withLock { _ = $0.insert(name) } }
}
