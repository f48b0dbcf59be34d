@_spi(Engine) import CoreDataRows

/// What belongs to each object of one store.
///
/// An object is known by the number that it has in its hierarchy, as two references to it may name different entities.
struct IdentityMap<Value> {
    let model: ModelLayout
    private var values: [Int: [Int64: Value]] = [:]

    init(_ model: ModelLayout) { self.model = model }

    subscript(key: ObjectKey) -> Value? {
        get { values[model.entities[Int(key.entityIndex)].rootIndex]?[key.handle] }
        set { values[model.entities[Int(key.entityIndex)].rootIndex, default: [:]][key.handle] = newValue }
    }

    var all: [Value] { values.values.flatMap(\.values) }
}
