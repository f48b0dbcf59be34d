import Foundation
import Logging

/// How much a message matters (Apple: OSLogType).
public struct OSLogType: Hashable, RawRepresentable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = OSLogType(rawValue: 0)
    public static let info = OSLogType(rawValue: 1)
    public static let debug = OSLogType(rawValue: 2)
    public static let error = OSLogType(rawValue: 16)
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
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public static let pointsOfInterest = Category("PointsOfInterest")
        public static let dynamicTracing = Category("DynamicTracing")
        public static let dynamicStackTracing = Category("DynamicStackTracing")
    }

    public static let `default` = OSLog(subsystem: "default", category: "")
    public static let disabled = OSLog(sink: nil)

    let sink: Logging.Logger?

    private init(sink: Logging.Logger?) {
        self.sink = sink
        super.init()
    }

    public convenience init(subsystem: String, category: String) {
        var sink = Logging.Logger(label: subsystem)
        if !category.isEmpty { sink[metadataKey: "category"] = .string(category) }
        self.init(sink: sink)
    }

    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    /// Whether messages of a type are written.
    public func isEnabled(type: OSLogType) -> Bool { sink.map { $0.logLevel <= type.level } ?? false }

    func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
        sink?.log(level: type.level, "\(message())")
    }
}
