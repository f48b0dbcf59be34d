@_spi(Engine) import CoreDataRows

/// An object as a store's file has it, before there are nodes.
struct StoredObject {
    /// The number that the file knows the object by; unique in the file.
    let reference: Int64
    let entity: EntityLayout
    /// The attributes that aren't nil, in the file's order.
    var values: [(property: PropertyLayout, value: Any)] = []
    var relationships: [Relationship] = []
    /// All properties that the file mentions, by their places in the entity's layout, in the file's order.
    var propertyOrder: [Int] = []
    /// Where in the file the object is, for messages.
    let place: String

    struct Relationship {
        let property: PropertyLayout
        let destinations: [Int64]
    }

    /// Larger references couldn't be distinguished from those of other kinds in object IDs; counting up can't overflow
    /// before.
    static let highestReference: Int64 = 1 << 48

    init(reference: Int64, entity: EntityLayout, place: String) {
        self.reference = reference
        self.entity = entity
        self.place = place
    }
}
