import Foundation

/// What a file and its journals look like from outside, which changes with whatever is written to them.
struct SQLiteFileState: Equatable, Sendable {
    private let parts: [FileStamp?]

    init(_ url: URL) { parts = ["", "-wal", "-journal"].map { FileStamp(path: url.path + $0) } }
}
