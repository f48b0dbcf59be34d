import Logging

/// Writes messages of a subsystem and category (Apple: Logger).
public struct Logger: Sendable {
    private let log: OSLog

    /// Makes a logger for a subsystem and a category, as ``OSLog/init(subsystem:category:)`` does.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    /// Makes a logger that writes to a log.
    public init(_ log: OSLog) { self.log = log }
    /// Makes a logger that writes to ``OSLog/default``.
    public init() { log = .default }

    /// Writes a message of the type `default`. Safe from any thread, as all of these methods.
    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes a message of a type.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    /// Writes a message at swift-log's level `trace`. Apple has no such type and writes it as `debug`.
    public func trace(_ message: OSLogMessage) { log.sink?.trace("\(message.text)") }
    /// Writes a message of the type `debug`.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Writes a message of the type `info`.
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    /// Writes a message of the type `default`.
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes a message at swift-log's level `warning`. Apple has no such type and writes it as `error`.
    public func warning(_ message: OSLogMessage) { log.sink?.warning("\(message.text)") }
    /// Writes a message of the type `error`.
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Writes a message of the type `fault`.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    /// Writes a message of the type `fault`.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}
