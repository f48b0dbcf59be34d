import ManagedObjectModel

/// Something to tell the author of a model or source file, in the form that build systems take up from compilers.
package struct CompilerDiagnostic: Error, Hashable, CustomStringConvertible, Sendable {
    /// How bad it is.
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package let severity: Severity
    /// What is wrong, and the way out.
    package let message: String
    package let file: String
    /// From 1, where it is known.
    package let line: Int?
    package let column: Int?

    init(_ severity: Severity, _ message: String, file: String, line: Int? = nil, column: Int? = nil) {
        self.severity = severity
        self.message = message
        self.file = file
        self.line = line
        self.column = column
    }

    /// What reading a model threw, told of the file that it is about.
    init(_ error: ModelFileError, file: String) {
        let place = error.location.map { "\($0): " } ?? ""
        let lineNumber = error.location.flatMap { $0.hasPrefix("line ") ? Int($0.dropFirst("line ".count)) : nil }
        self.init(
            .error, lineNumber == nil ? place + error.message : error.message, file: error.url?.path ?? file,
            line: lineNumber)
    }

    package var description: String {
        // A line that isn't known is the first, or build systems don't see where the name of the file ends.
        "\(file):\(line ?? 1):\(column ?? 1): \(severity.rawValue): \(message)"
    }
}
