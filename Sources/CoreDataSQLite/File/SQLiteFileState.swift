@_spi(Engine) import CoreDataRows
import Foundation

/// What a file and its journals look like from outside, which changes with whatever is written to them.
package struct SQLiteFileState: Equatable, Sendable {
    private let parts: [FileStamp?]

    package init(_ url: URL) { parts = ["", "-wal", "-journal"].map { FileStamp(path: url.path + $0) } }
}
