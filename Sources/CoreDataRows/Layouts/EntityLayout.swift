import ManagedObjectModel
import Synchronization

// Safe: constant once the model is compiled, but for a cache behind a lock.
/// An entity, compiled: its properties in slot order and its place in the hierarchy.
///
/// The superentity's properties come first, so that a property has the same index and row slot in all subentities,
/// and entities are numbered depth first, so that "is a kind of" is a comparison of numbers.
package final class EntityLayout: @unchecked Sendable {
    package let name: String
    /// A number that no other entity of any model in this process has, or had.
    package let stamp: UInt64
    private static let lastStamp = Atomic<UInt64>(0)
    /// The place in ``ModelLayout/entities``.
    package let index: Int
    /// The highest index in the hierarchy below, or ``index`` where there are no subentities.
    package internal(set) var lastDescendantIndex: Int
    /// The index of ``root``.
    package let rootIndex: Int
    // Safe: the model's layout keeps the model and every layout of it, and whoever has a layout keeps that.
    package unowned(unsafe) let entity: NSEntityDescription
    package unowned(unsafe) let model: ModelLayout
    package unowned(unsafe) let superlayout: EntityLayout?
    package internal(set) var sublayouts: [EntityLayout] = []
    package private(set) var properties: [PropertyLayout] = []
    package private(set) var rowSlotCount = 0
    private var indexByName: [String: Int] = [:]
    // Safe: the model's layout keeps it, as those above.
    private unowned(unsafe) let ancestor: EntityLayout?

    /// The relationships, to-one and to-many.
    package private(set) var relationships: [PropertyLayout] = []
    /// All properties that a row holds, composite attributes as their elements.
    package private(set) var storedLeaves: [PropertyLayout] = []
    /// Those of them that a store keeps as archives.
    package private(set) var transformables: [PropertyLayout] = []
    /// The properties that are validated, in order.
    package private(set) var validatedProperties: [PropertyLayout] = []
    /// Those of them that the model's rules can find wrong.
    package private(set) var ruledProperties: [PropertyLayout] = []
    /// The values that a new object begins with, by row slot.
    package private(set) var defaultRow: ContiguousArray<FieldValue> = []

    /// The class of the entity's objects, which the object graph looks up once.
    package let objectClassCache = Mutex<AnyClass?>(nil)

    package init(_ entity: NSEntityDescription, index: Int, superlayout: EntityLayout?, model: ModelLayout) {
        name = entity.name ?? ""
        stamp = Self.lastStamp.add(1, ordering: .relaxed).newValue
        self.entity = entity
        self.index = index
        lastDescendantIndex = index
        self.superlayout = superlayout
        ancestor = superlayout?.root
        rootIndex = superlayout?.rootIndex ?? index
        self.model = model
        layOutProperties()
    }

    /// The entity at the top of the hierarchy, whose table and row numbers all below it share.
    package var root: EntityLayout { ancestor ?? self }

    package func isKind(of other: EntityLayout) -> Bool {
        index >= other.index && index <= other.lastDescendantIndex
    }

    package func property(named name: String) -> PropertyLayout? {
        indexByName[name].map { properties[$0] }
    }

    package func propertyIndex(named name: String) -> Int? { indexByName[name] }

    private func layOutProperties() {
        if let superlayout {
            for inherited in superlayout.properties {
                let property = entity.propertiesByName[inherited.name] ?? inherited.property
                append(property, rowSlot: inherited.rowSlot, inheritedElements: inherited.elements)
            }
            rowSlotCount = superlayout.rowSlotCount
        }
        let own = entity.properties.filter { indexByName[$0.name] == nil }
        for property in own.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            append(property, rowSlot: takeSlots(for: property), inheritedElements: [])
        }
        defaultRow = ContiguousArray(repeating: .null, count: rowSlotCount)
        for property in properties {
            place(defaultOf: property)
        }
        relationships = properties.filter { $0.kind.isRelationship }
        validatedProperties = properties.filter { $0.kind != .fetched }
        ruledProperties = validatedProperties.filter { !$0.hasNoRules || !$0.isOptional }
        storedLeaves = properties.flatMap(\.storedLeaves)
        transformables = storedLeaves.filter { $0.kind == .transformable }
    }

    private func place(defaultOf property: PropertyLayout) {
        for element in property.elements { place(defaultOf: element) }
        if property.rowSlot >= 0 { defaultRow[property.rowSlot] = property.defaultValue }
    }

    private func append(_ property: NSPropertyDescription, rowSlot: Int, inheritedElements: [PropertyLayout]) {
        let elements: [PropertyLayout]
        if let composite = property as? NSCompositeAttributeDescription, inheritedElements.isEmpty {
            elements = layOut(composite)
        } else {
            elements = inheritedElements
        }
        indexByName[property.name] = properties.count
        properties.append(
            PropertyLayout(property, index: properties.count, rowSlot: rowSlot, elements: elements, owner: self))
    }

    private func layOut(_ composite: NSCompositeAttributeDescription) -> [PropertyLayout] {
        composite.elements.map { element in
            let nested = (element as? NSCompositeAttributeDescription).map(layOut) ?? []
            return PropertyLayout(element, index: -1, rowSlot: takeSlots(for: element), elements: nested, owner: self)
        }
    }

    private func takeSlots(for property: NSPropertyDescription) -> Int {
        let width = Self.slotWidth(of: property)
        guard width > 0 else { return -1 }
        defer { rowSlotCount += width }
        return rowSlotCount
    }

    private static func slotWidth(of property: NSPropertyDescription) -> Int {
        if property.isTransient { return 0 }
        switch PropertyKind(property) {
        case .toMany, .fetched, .composite, .undefined: return 0
        case .toOne: return 2
        default: return 1
        }
    }
}
