import Foundation

/// The binary values that lie in files beside a store, `.<store name>_SUPPORT/_EXTERNAL_DATA/<UUID>`.
///
/// An attribute that allows external storage has a tag before its bytes: 1, and the bytes follow; 2, and the name of a file
/// follows, 36 letters of a UUID and a zero (seen in four stores of the fixtures).
///
/// Files are read when their row is (our choice: the row is a snapshot, and the file may be gone once somebody saves). A
/// file that is missing reads as nil, so that the other values of the row stay within reach; the fixtures have such stores.
struct ExternalBinaryData: Sendable {
    /// The folder of the files.
    let folder: URL

    enum Value {
        case inline(UnsafeRawBufferPointer)
        case file(Data?)
    }

    private enum Tag {
        static let inline: UInt8 = 1
        static let file: UInt8 = 2
    }

    private static let nameLength = 36

    init(store: URL) {
        let name = store.deletingPathExtension().lastPathComponent
        folder = store.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
            .appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// The value that the bytes of a column stand for.
    ///
    /// - Parameter invalid: makes the error for bytes that aren't of this form.
    func resolve(_ bytes: UnsafeRawBufferPointer, invalid: (String) -> NSError) throws -> Value {
        guard let tag = bytes.first else { return .inline(bytes) }
        let content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        switch tag {
        case Tag.inline: return .inline(content)
        case Tag.file:
            guard let name = Self.fileName(content) else {
                throw invalid("the name of an external file that isn't a UUID")
            }
            return .file(try? Data(contentsOf: folder.appendingPathComponent(name), options: .mappedIfSafe))
        default:
            throw invalid("binary data with the unknown storage tag \(tag)")
        }
    }

    /// The name, if it is nothing but a UUID: a name from a file must not lead out of the folder.
    private static func fileName(_ bytes: UnsafeRawBufferPointer) -> String? {
        let name = String(decoding: bytes.prefix(nameLength), as: UTF8.self)
        let end = bytes.dropFirst(nameLength)
        guard end.isEmpty || end.elementsEqual([0]), let uuid = UUID(uuidString: name) else { return nil }
        return uuid.uuidString == name.uppercased() ? name : nil
    }
}
