import ArgumentParser

/// One `key=value`, `key+=value` or `key-=value` of the command line.
struct Assignment: ExpressibleByArgument, Sendable {
    enum Operation: String {
        case set = "="
        case add = "+="
        case remove = "-="
    }

    let key: String
    let operation: Operation
    /// What stands behind the sign; empty means nil.
    let text: String

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "=") else { return nil }
        var key = argument[..<sign]
        switch key.last {
        case "+": operation = .add
        case "-": operation = .remove
        default: operation = .set
        }
        if operation != .set { key.removeLast() }
        guard !key.isEmpty else { return nil }
        self.key = String(key)
        text = String(argument[argument.index(after: sign)...])
    }
}
