/// What an ``AttributePlan`` is for.
struct AttributePlanKey: Hashable {
    let mapping: ObjectIdentifier
    /// The stamps of the entities' layouts.
    let source: UInt64
    let destination: UInt64
}
