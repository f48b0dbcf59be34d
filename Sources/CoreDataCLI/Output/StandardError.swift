import Foundation

/// Where failures and warnings go, so that they don't mix with results.
enum StandardError {
    static func writeLine(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
