import Foundation

/// A file of lines: entries of metadata, and records.
struct DelimitedText {
    var metadata: [String: Any] = [:]
    var records: [DelimitedLine] = []

    /// Whether the first record gives values without names.
    private(set) var isPositional = false

    /// - Returns: nil where there is no file, or one of zero length.
    /// - Throws: ``DelimitedTextError`` for what is no text, and for metadata that can't be read.
    static func read(from url: URL) throws -> DelimitedText? {
        guard url.path != "/dev/null", FileManager.default.fileExists(atPath: url.path) else { return nil }
        let data = try Data(contentsOf: url)
        if data.isEmpty { return nil }
        var result = DelimitedText()
        for (index, bytes) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                let valid = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\u{FFFD}" }.count
                throw DelimitedTextError(
                    url: url, line: index + 1, column: valid + 1, reason: "the file isn't text in UTF-8")
            }
            let line = DelimitedLine(text.last == "\r" ? String(text.dropLast()) : text, number: index + 1, in: url)
            if line.text.allSatisfy(\.isWhitespace) { continue }
            if line.text.hasPrefix("#") {
                let (key, value) = try MetadataLine.read(line)
                result.metadata[key] = value
            } else {
                if result.records.isEmpty { result.isPositional = !line.isNamed }
                result.records.append(line)
            }
        }
        return result
    }

    /// Replaces the file as a whole.
    static func write(metadata: [String: Any], lines: [String], to url: URL) throws {
        let entries = try metadata.sorted { $0.key < $1.key }.map { try MetadataLine.text($0.key, $0.value) }
        let text = (entries + lines).map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: url, options: .atomic)
    }

    /// Removes a file of zero length.
    static func removeReservation(at url: URL) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular, (attributes?[.size] as? NSNumber)?.intValue == 0
        else { return }
        try? FileManager.default.removeItem(at: url)
    }
}
