import Foundation

/// Default values as they stand in a statement.
enum SQLiteLiteral {
    /// - Returns: nil for no value.
    /// - Throws: `NSMigrationError` for one that a store can't keep.
    static func text(_ value: FieldValue, of property: PropertyLayout) throws -> String? {
        switch value {
        case .null, .reference, .destination: return nil
        case .int(let number): return "\(number)"
        case .double(let number): return number.isFinite ? "\(number)" : nil
        case .string(let text): return quoted(text)
        case .data(let data):
            let isTagged = property.attribute?.allowsExternalBinaryDataStorage ?? false
            return blob(isTagged ? SQLiteExternalData.inline(data) : data)
        case .uuid(let uuid): return withUnsafeBytes(of: uuid.uuid) { blob(Data($0)) }
        case .decimal(let number): return "\(number)"
        case .object(let box):
            if let url = box.value as? URL { return quoted(url.absoluteString) }
            guard let data = TransformableCoder.data(from: box.value, of: property) else {
                throw MigrationError.make(
                    "The default value of '\(property.name)' can't be turned into data by its value transformer.")
            }
            return blob(data)
        }
    }

    static func quoted(_ text: String) -> String {
        // A literal ends at a NUL, so such a text is put together from its bytes.
        text.utf8.contains(0)
            ? "CAST(\(blob(Data(text.utf8))) AS TEXT)" : "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
    }

    private static func blob(_ data: Data) -> String {
        "X'" + data.map { String(format: "%02X", $0) }.joined() + "'"
    }
}
