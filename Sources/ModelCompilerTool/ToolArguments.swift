/// The command line: a command, and options with a value each.
struct ToolArguments {
    struct Failure: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }

    let command: String
    private let options: [String: String]

    init(_ arguments: [String]) throws {
        guard let command = arguments.first else { throw Failure(message: "there is no command") }
        self.command = command
        var options: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            guard option.hasPrefix("--"), let value = rest.popFirst() else {
                throw Failure(message: "the option \"\(option)\" has no value")
            }
            options[String(option.dropFirst(2))] = value
        }
        self.options = options
    }

    func value(_ option: String) throws -> String {
        guard let value = options[option] else { throw Failure(message: "the option --\(option) is missing") }
        return value
    }
}
