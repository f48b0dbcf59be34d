import Foundation
import Logging

/// Where diagnostic lines go: swift-log under the label `com.apple.CoreData`, or standard error.
package enum CoreDataLog {
    private static let logger = Logger(label: "com.apple.CoreData")

    /// Writes a line to standard error: what a program does wrong, and what goes on nevertheless.
    package static func warn(_ text: String) { FileHandle.standardError.write(Data("CoreData: \(text)\n".utf8)) }

    /// Writes a line if the level of `-com.apple.CoreData.SQLDebug` is at least that.
    package static func write(_ text: @autoclosure () -> String, atLevel level: Int) {
        let settings = DebugSettings.current
        guard settings.sqlLevel >= level else { return }
        let line = "CoreData: \(text())"
        if settings.logsToStandardError {
            FileHandle.standardError.write(Data((line + "\n").utf8))
        } else {
            logger.notice("\(line)")
        }
    }
}
