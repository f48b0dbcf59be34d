import Foundation

/// What was asked for on the command line, in the user defaults or in the environment.
///
/// `-com.apple.CoreData.SQLDebug 3` as a launch argument or a default, or `COREDATA_SQL_DEBUG=3` in the environment, as
/// not every process on Linux is started with arguments of its own. Launch arguments win, then the environment.
package struct DebugSettings: Sendable {
    /// 1: SQL, time and rows; 2: transactions and pragmas too; 3: values bound; 4: the query plan.
    package var sqlLevel = 0
    /// Whether lines go to standard error by themselves, whatever the program does with its log.
    package var logsToStandardError = false
    /// What happens when a context or object is used outside of its queue: in debug builds a warning, by default.
    package var concurrencyCheck: QueueCheck = Self.isDebugBuild ? .warns : .isOff

    /// What a use of a context or an object outside of its queue leads to.
    package enum QueueCheck: Sendable {
        case isOff, warns, stops

        package init(setting: String) {
            switch setting.lowercased() {
            case "warn": self = .warns
            case "yes", "true": self = .stops
            default: self = (Int(setting) ?? 0) > 0 ? .stops : .isOff
            }
        }
    }

    package static let current = DebugSettings(
        arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
        defaults: { UserDefaults.standard.string(forKey: $0) })

    package init(arguments: [String], environment: [String: String], defaults: (String) -> String?) {
        func setting(_ name: String, _ variable: String) -> String? {
            if let place = arguments.firstIndex(of: "-\(name)"), place + 1 < arguments.count {
                return arguments[place + 1]
            }
            if let value = environment[variable], !value.isEmpty { return value }
            return defaults(name)
        }
        sqlLevel = setting("com.apple.CoreData.SQLDebug", "COREDATA_SQL_DEBUG").flatMap { Int($0) } ?? 0
        let stderr = setting("com.apple.CoreData.Logging.stderr", "COREDATA_LOGGING_STDERR")
        logsToStandardError = ["1", "yes", "true"].contains(stderr?.lowercased() ?? "")
        if let checks = setting("com.apple.CoreData.ConcurrencyDebug", "COREDATA_CONCURRENCY_DEBUG") {
            concurrencyCheck = QueueCheck(setting: checks)
        }
    }

    /// Whether this package was built for debugging.
    package static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}
