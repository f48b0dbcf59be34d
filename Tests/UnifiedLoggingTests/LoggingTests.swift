import Foundation
import Logging
import UnifiedLogging
import Testing

@Suite("Apple's logging over swift-log")
struct LoggingTests {
    @Test("A message shows its values as they are told to, and hides what is private")
    func interpolation() {
        let messages: [(OSLogMessage, String)] = [
            ("plain", "plain"),
            ("\(42) of \(Int64(7), format: .hex(includePrefix: true, minDigits: 4))", "42 of 0x0007"),
            ("\(1.5, format: .fixed(precision: 2)), \(true), \(false, format: .answer)", "1.50, true, NO"),
            ("\("name", privacy: .private) and \("other", privacy: .public)", "<private> and other"),
            ("[\("ab", align: .right(columns: 4))]", "[  ab]"),
            ("\(CocoaError(.fileNoSuchFile).code.rawValue) \(Int.self) \(Optional(3) as Any)", "4 Int Optional(3)"),
        ]
        for (message, text) in messages { #expect(message.shownText == text) }
    }

    @Test("Messages of either form go to swift-log, under the subsystem and with the category")
    func forms() {
        let collected = CollectedMessages.shared
        let name = "org.example.\(UUID().uuidString)"
        let logger = os.Logger(subsystem: name, category: "store")
        logger.warning("saved \(3)")
        os_log(
            "took %{public}@ and %{private}@, %d",
            log: OSLog(subsystem: name, category: "old"), type: .error, "a" as NSString, "b" as NSString, 5)
        os_log(.info, log: OSLog.OSLog(subsystem: name, category: "new"), "both \(1)")
        #expect(
            collected.messages(of: name) == [
                "warning store saved 3", "error old took a and <private>, 5", "info new both 1",
            ])
        #expect(!OSLog.disabled.isEnabled(type: .fault))
    }
}

extension OSLogMessage {
    /// The text, as a log shows it.
    fileprivate var shownText: String {
        let name = "org.example.\(UUID().uuidString)"
        _ = CollectedMessages.shared
        os.Logger(subsystem: name, category: "").notice(self)
        return CollectedMessages.shared.messages(of: name).first.map { String($0.dropFirst("notice  ".count)) } ?? ""
    }
}

/// What the process has logged. swift-log can be told once only where messages go.
private final class CollectedMessages: @unchecked Sendable {
    static let shared = CollectedMessages()

    private let lock = NSLock()
    private var messages: [(label: String, text: String)] = []

    private init() {
        LoggingSystem.bootstrap { [unowned self] in Handler(label: $0, collected: self) }
    }

    func messages(of label: String) -> [String] { lock.withLock { messages.filter { $0.label == label }.map(\.text) } }

    private struct Handler: LogHandler {
        let label: String
        let collected: CollectedMessages
        var metadata: Logging.Logger.Metadata = [:]
        var logLevel = Logging.Logger.Level.trace

        init(label: String, collected: CollectedMessages) {
            self.label = label
            self.collected = collected
        }

        subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let category = metadata["category"].map { "\($0)" } ?? ""
            collected.lock.withLock {
                collected.messages.append((label, "\(event.level) \(category) \(event.message)"))
            }
        }
    }
}
