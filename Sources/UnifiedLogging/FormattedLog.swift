import Foundation

/// Writes a message with values in it (Apple: os_log).
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

/// Writes a message, formatted as `String(format:)` does (Apple: os_log). The words between `%{` and `}` that say what may be
/// seen are taken out; values that are private show as `<private>`.
@_disfavoredOverload
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.write(type, LogFormat(message.description).text(with: arguments))
}

/// The same with the type in front (Apple: os_log).
@_disfavoredOverload
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: any CVarArg...
) {
    log.write(type, LogFormat(message.description).text(with: arguments))
}

/// A format with what `os_log` has beyond `printf`.
private struct LogFormat {
    /// The format as Foundation knows it.
    private var plain = ""
    /// The places of the values that aren't shown.
    private var hidden: Set<Int> = []

    init(_ format: String) {
        var rest = format[...]
        var index = 0
        while let percent = rest.firstIndex(of: "%") {
            plain += rest[...percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                plain += "%"
                rest = rest.dropFirst()
                continue
            }
            defer { index += 1 }
            guard rest.first == "{", let end = rest.firstIndex(of: "}") else { continue }
            let options = rest[..<end]
            rest = rest[rest.index(after: end)...]
            guard options.contains("private") || options.contains("sensitive") else { continue }
            hidden.insert(index)
            // Whatever the value is, text takes its place.
            if let kind = rest.firstIndex(where: { "@diouxXeEfFgGaAcsSp".contains($0) }) {
                plain += "@"
                rest = rest[rest.index(after: kind)...]
            }
        }
        plain += rest
        // What Apple's formats have for C's texts isn't known to Foundation on Linux.
        plain = plain.replacingOccurrences(of: "%s", with: "%@")
    }

    func text(with arguments: [any CVarArg]) -> String {
        String(
            format: plain,
            arguments: arguments.enumerated().map { hidden.contains($0.offset) ? "<private>" as NSString : $0.element })
    }
}
