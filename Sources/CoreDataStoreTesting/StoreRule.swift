/// One thing that a store must do.
public struct StoreRule: Sendable, Hashable, CustomStringConvertible {
    /// What is claimed.
    public let description: String
    let concerns: @Sendable (StoreConformance) -> Bool
    let body: @Sendable (StoreTrial) throws -> Void

    init(
        _ description: String, where concerns: @escaping @Sendable (StoreConformance) -> Bool = { _ in true },
        _ body: @escaping @Sendable (StoreTrial) throws -> Void
    ) {
        self.description = description
        self.concerns = concerns
        self.body = body
    }

    /// Rules are equal where they claim the same.
    public static func == (left: StoreRule, right: StoreRule) -> Bool { left.description == right.description }
    /// Hashes the claim.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Every rule there is.
    static let all =
        attributeRules + relationshipRules + fetchRules + readingRules + resultRules + faultingRules + conflictRules
        + sharingRules + metadataRules + lifeCycleRules + failureRules + saveAsRules + migrationRules
}

/// A rule that a store doesn't keep.
public struct StoreRuleFailure: Error, CustomStringConvertible {
    /// The rule that was broken.
    public let rule: StoreRule
    /// The type of the store that was tried.
    public let storeType: String
    /// What was otherwise than expected, a line each.
    public let details: [String]

    /// The store's type, the rule, and the details, a line each.
    public var description: String {
        "A store of the type \(storeType) doesn't keep the rule \"\(rule)\":\n"
            + details.map { "  - \($0)" }.joined(separator: "\n")
    }
}
