/// Why a command could not do its work, in words that name the file, entity or property that it is about.
struct CommandFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    init(_ subject: String, _ cause: String) {
        message = "\(subject): \(cause)"
    }
}
