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
        let place = error.place.map { "\($0): " } ?? ""
        self.init(.error, place + error.message, file: error.url?.path ?? file, position: error.position)
    }

    /// What is the matter with a model, told of the element of its source.
    init(_ issue: ModelIssue, in source: ModelFile.SourceTree) {
        let place = [issue.entity.map { "entity \($0)" }, issue.property.map { "property \($0)" }].compactMap { $0 }
        let message = place.isEmpty ? issue.message : "\(place.joined(separator: ", ")): \(issue.message)"
        self.init(
            issue.severity == .error ? .error : .warning, message, file: source.file.path,
            position: issue.position ?? source.element(of: issue)?.position)
    }

    init(_ severity: Severity, _ message: String, file: String, position: TextPosition?) {
        self.init(severity, message, file: file, line: position?.line, column: position?.column)
    }

    package var description: String {
        // A line that isn't known is the first, or build systems don't see where the name of the file ends.
        "\(file):\(line ?? 1):\(column ?? 1): \(severity.rawValue): \(message)"
    }
}
