import Foundation
import FoundationCompat

/// What the expressions of a mapping see while one object is made or connected.
struct MappingScope {
    private var bindings: [String: Any]
    private let context: NSMutableDictionary
    let mapping: NSEntityMapping

    init(
        manager: NSMigrationManager, source: NSManagedObject?, destination: NSManagedObject, mapping: NSEntityMapping,
        policy: NSEntityMigrationPolicy
    ) {
        self.mapping = mapping
        bindings = [
            "manager": manager, "source": source ?? NSNull(), "destination": destination, "entityMapping": mapping,
            "entityPolicy": policy,
        ]
        context = NSMutableDictionary(dictionary: bindings)
    }

    mutating func scope(for property: NSPropertyMapping) -> EvaluationScope {
        bindings["propertyMapping"] = property
        context["propertyMapping"] = property
        return EvaluationScope(bindings: bindings, strictness: .throwing, context: context)
    }
}
