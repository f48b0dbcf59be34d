/// One thing in which two versions of a model differ.
public struct ModelChange: Hashable, Sendable, CustomStringConvertible {
    /// What became of it.
    public enum Kind: String, Sendable {
        /// Only the new version has it.
        case added
        /// Only the old version has it.
        case removed
        /// The new version has it by another name; its renaming identifier says so.
        case renamed
        /// Both versions have it, with different settings.
        case changed
    }

    /// What became of it.
    public let kind: Kind
    /// The entity, by its new name where it has one.
    public let entity: String
    /// The property, by its new name where it has one; nil where the entity itself is meant.
    public let property: String?
    /// The matter in words.
    public let message: String
    /// Why lightweight migration cannot do it; nil where it can, or has nothing to do.
    public let obstacle: String?
    /// Whether the obstacle is none for a store where every object has a value for the property.
    public var dependsOnValues: Bool { missingValues == .ofSomeObjects }
    /// Whether what stands in the way is that objects get no value for a property that is required and has no default.
    public var lacksValue: Bool { missingValues != nil }

    /// Which objects get no value for a property that is required and has no default.
    enum MissingValues {
        /// Those without a value, if there are any.
        case ofSomeObjects
        case ofAllObjects
    }

    private let missingValues: MissingValues?

    init(
        kind: Kind, entity: String, property: String?, message: String, obstacle: String?,
        missingValues: MissingValues? = nil
    ) {
        self.kind = kind
        self.entity = entity
        self.property = property
        self.message = message
        self.obstacle = obstacle
        self.missingValues = missingValues
    }

    /// Entity and property, the matter in words, and the obstacle if there is one.
    public var description: String {
        let place = [entity, property].compactMap { $0 }.joined(separator: ".")
        return "\(place): \(message)" + (obstacle.map { " (no lightweight migration: \($0))" } ?? "")
    }
}
