/// Something in a model that is wrong, or that its author should know.
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// The model cannot be used.
        case error
        /// The model can be used, but probably does not do what its author wants.
        case warning
    }

    /// How bad it is.
    public let severity: Severity
    /// The entity, where the matter is in one.
    public let entity: String?
    /// The property, where the matter is in one.
    public let property: String?
    /// The fetch request template, where the matter is in one.
    public let fetchRequest: String?
    /// What is the matter.
    public let message: String

    /// Where in the file it is, where entity and property don't say it.
    package let position: TextPosition?

    init(
        severity: Severity, entity: String? = nil, property: String? = nil, fetchRequest: String? = nil,
        message: String, position: TextPosition? = nil
    ) {
        self.position = position
        self.severity = severity
        self.entity = entity
        self.property = property
        self.fetchRequest = fetchRequest
        self.message = message
    }

    /// As compilers say it: "error: Book.author: …".
    public var description: String {
        let place = [entity, property].compactMap { $0 }.joined(separator: ".")
        return "\(severity.rawValue): \(place.isEmpty ? "" : "\(place): ")\(message)"
    }
}
