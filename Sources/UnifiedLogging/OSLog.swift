import Foundation
import Logging

/// How much a message matters (Apple: OSLogType).
public struct OSLogType: Hashable, RawRepresentable, Sendable {
    /// Apple's number for the type.
    public let rawValue: UInt8

    /// Makes a type of a number; one that isn't Apple's is written as `notice`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Makes a type of a number; one that isn't Apple's is written as `notice`.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// What may help to find out why something failed. Swift-log's `notice`.
    public static let `default` = OSLogType(rawValue: 0)
    /// What is helpful but not needed to find a fault. Swift-log's `info`.
    public static let info = OSLogType(rawValue: 1)
    /// What is of use during development only. Swift-log's `debug`.
    public static let debug = OSLogType(rawValue: 2)
    /// Something failed in the process. Swift-log's `error`.
    public static let error = OSLogType(rawValue: 16)
    /// Something failed that concerns the system, or a mistake in the program. Swift-log's `critical`.
    public static let fault = OSLogType(rawValue: 17)

    /// The level of swift-log that comes closest.
    var level: Logging.Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .error: .error
        case .fault: .critical
        default: .notice
        }
    }
}

// Safe: it is constant. A subclass's own state is the subclass's affair.
/// A log of a subsystem and category (Apple: OSLog). On Linux messages go to swift-log, under the subsystem as the label
/// and with the category as metadata, so `LoggingSystem.bootstrap` says where they end.
open class OSLog: NSObject, @unchecked Sendable {
    /// A category with a meaning of its own (Apple: OSLog.Category).
    public struct Category: Hashable, Sendable {
        /// The category's text, which is written with each message.
        public let rawValue: String

        /// Makes a category of a text.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Places that a tool for measuring time would mark. On Linux a category like any other.
        public static let pointsOfInterest = Category("PointsOfInterest")
        /// Messages that are to be recorded only when a tool asks. On Linux a category like any other.
        public static let dynamicTracing = Category("DynamicTracing")
        /// The same with the stack of calls. On Linux a category like any other, and no stack is written.
        public static let dynamicStackTracing = Category("DynamicStackTracing")
    }

    /// The log of messages that belong to no subsystem; its label is "default".
    public static let `default` = OSLog(subsystem: "default", category: "")
    /// A log that drops every message without evaluating it.
    public static let disabled = OSLog(sink: nil)

    let sink: Logging.Logger?

    private init(sink: Logging.Logger?) {
        self.sink = sink
        super.init()
    }

    /// Makes a log whose label is the subsystem; a category that isn't empty is its metadata `category`.
    public convenience init(subsystem: String, category: String) {
        var sink = Logging.Logger(label: subsystem)
        if !category.isEmpty { sink[metadataKey: "category"] = .string(category) }
        self.init(sink: sink)
    }

    /// Makes a log for a category with a meaning of its own.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    /// Whether messages of a type are written.
    public func isEnabled(type: OSLogType) -> Bool { sink.map { $0.logLevel <= type.level } ?? false }

    func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
        sink?.log(level: type.level, "\(message())")
    }
}
