import Foundation

extension SQLiteExternalData {
    /// What the bytes of a column stand for.
    package enum Value {
        case inline(UnsafeRawBufferPointer)
        /// The content of a file, or nil where it is gone.
        case file(Data?)
    }

    /// What is in a file; nil where there is none. A link isn't followed: it may lead anywhere.
    ///
    /// - Throws: an error for a file that is there and can't be read, for want of permission or of descriptors. Read as nil,
    ///   a copy or a migration of the store would lose it.
    private static func content(of file: URL) throws -> Data? {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return nil
        } catch {
            let isDenied = (error as? CocoaError)?.code == .fileReadNoPermission
            throw SQLiteStoreError.error(
                isDenied ? .fileReadNoPermission : .fileReadUnknown,
                "the file \(file.lastPathComponent) with an external value can't be read: \(error.localizedDescription)",
                underlying: error)
        }
    }

    /// The value behind the tag of a stored value.
    ///
    /// Files are read when their row is (our choice: the row is a snapshot, and another save may remove the file). A
    /// file that is missing reads as nil, so that the other values of the row stay within reach; the fixtures have such
    /// stores.
    /// - Parameter invalid: makes the error for bytes that aren't of this form.
    package func read(_ stored: UnsafeRawBufferPointer, invalid: (String) -> NSError) throws -> Value {
        switch stored.first {
        case nil:
            return .inline(stored)
        case Self.inlineTag:
            return .inline(UnsafeRawBufferPointer(rebasing: stored.dropFirst()))
        case Self.fileTag:
            guard let file = file(named: stored) else {
                throw invalid("the name of an external file that isn't a UUID")
            }
            let content = try Self.content(of: file)
            if content == nil { missing.record(file.lastPathComponent) }
            return .file(content)
        case let tag?:
            throw invalid("binary data with the unknown storage tag \(tag)")
        }
    }
}
