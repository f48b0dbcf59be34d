import ManagedObjectModel
import Synchronization

// Safe: constant once the model is compiled, but for a cache behind a lock. So no access need be checked.
/// An entity, compiled: its properties in slot order and its place in the hierarchy.
///
/// The superentity's properties come first, so that a property has the same index and row slot in all subentities,
/// and entities are numbered depth first, so that "is a kind of" is a comparison of numbers.
@_spi(Engine) public final class EntityLayout: @unchecked Sendable {
    package let name: String
    package let isAbstract: Bool
    /// A number that no other entity of any model in this process has, or had.
    package let stamp: UInt64
    private static let lastStamp = Atomic<UInt64>(0)
    /// The place in ``ModelLayout/entities``.
    public let index: Int
    /// The highest index in the hierarchy below, or ``index`` where there are no subentities.
    public let lastDescendantIndex: Int
    /// The index of ``root``.
    package let rootIndex: Int
    // Safe: the model's layout retains the model and all of its layouts, and everything that holds a layout retains the
    // model's layout.
    package unowned(unsafe) let entity: NSEntityDescription
    package unowned(unsafe) let model: ModelLayout
    package unowned(unsafe) let superlayout: EntityLayout?
    @exclusivity(unchecked) package internal(set) var sublayouts: [EntityLayout] = []
    // Safe: constant once the model is compiled.
    /// The places of the properties in ``properties``.
    @exclusivity(unchecked) private var names = NameTable([:])
    // Safe: constant once the model is compiled.
    /// The properties and what follows from them, set once the entity has its index.
    @exclusivity(unchecked) @usableFromInline var contents = Contents()
    // Safe: the model's layout keeps it, as those above.
    private unowned(unsafe) let ancestor: EntityLayout?

    /// The class of the entity's objects, which the object graph looks up once.
    package let objectClassCache = Mutex<AnyClass?>(nil)
    /// What the object graph knows of that class's methods: 0 for nothing yet.
    package let methodsOfClass = Atomic<UInt8>(0)

    package init(_ entity: NSEntityDescription, index: Int, superlayout: EntityLayout?, model: ModelLayout) {
        name = entity.name ?? ""
        isAbstract = entity.isAbstract
        stamp = Self.lastStamp.add(1, ordering: .relaxed).newValue
        self.entity = entity
        self.index = index
        lastDescendantIndex = index + Self.countOfDescendants(of: entity)
        self.superlayout = superlayout
        ancestor = superlayout?.root
        rootIndex = superlayout?.rootIndex ?? index
        self.model = model
        layOutProperties()
    }

    /// The entity at the top of the hierarchy, whose table and row numbers all below it share.
    package var root: EntityLayout { ancestor ?? self }

    /// Whether the entity is another one or below it. Both must be of the same model.
    @inlinable
    public func isKind(of other: EntityLayout) -> Bool {
        index >= other.index && index <= other.lastDescendantIndex
    }

    package func property(named name: String) -> PropertyLayout? {
        names.place(of: name).map { properties[$0] }
    }

    package func propertyIndex(named name: String) -> Int? { names.place(of: name) }

    private func layOutProperties() {
        defer {
            names = NameTable(
                Dictionary(properties.map { ($0.name, $0.index) }, uniquingKeysWith: { _, last in last }))
        }
        if let superlayout {
            contents.rowSlotCount = superlayout.rowSlotCount
            for inherited in superlayout.properties {
                let property = entity.propertiesByName[inherited.name] ?? inherited.property
                if property === inherited.property || Self.fits(property, inherited) {
                    append(property, rowSlot: inherited.rowSlot, inheritedElements: inherited.elements)
                } else {
                    contents.redeclared.append(contents.properties.count)
                    append(property, rowSlot: reserveSlots(for: property), inheritedElements: [])
                }
            }
        }
        let inherited = Set(properties.map(\.name))
        let own = entity.properties.filter { !inherited.contains($0.name) }
        for property in own.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            append(property, rowSlot: reserveSlots(for: property), inheritedElements: [])
        }
        contents.defaultRow = ContiguousArray(repeating: .null, count: contents.rowSlotCount)
        for property in properties {
            setDefault(of: property)
        }
        contents.relationships = contents.properties.filter { $0.kind.isRelationship }
        contents.validatedProperties = contents.properties.filter { $0.kind != .fetched }
        contents.ruledProperties = contents.validatedProperties.filter { !$0.hasNoRules || !$0.isOptional }
        contents.storedLeaves = contents.properties.flatMap(\.storedLeaves)
        contents.transformables = contents.storedLeaves.filter { $0.kind == .transformable }
    }

    private func setDefault(of property: PropertyLayout) {
        for element in property.elements { setDefault(of: element) }
        if property.rowSlot >= 0 { contents.defaultRow[property.rowSlot] = property.defaultValue }
    }

    private func append(_ property: NSPropertyDescription, rowSlot: Int, inheritedElements: [PropertyLayout]) {
        let elements: [PropertyLayout]
        if let composite = property as? NSCompositeAttributeDescription, inheritedElements.isEmpty {
            elements = layOut(composite)
        } else {
            elements = inheritedElements
        }
        contents.properties.append(
            PropertyLayout(
                property, index: contents.properties.count, rowSlot: rowSlot, elements: elements, owner: self))
    }

    private func layOut(_ composite: NSCompositeAttributeDescription) -> [PropertyLayout] {
        composite.elements.map { element in
            let nested = (element as? NSCompositeAttributeDescription).map(layOut) ?? []
            return PropertyLayout(
                element, index: -1, rowSlot: reserveSlots(for: element), elements: nested, owner: self)
        }
    }

    private func reserveSlots(for property: NSPropertyDescription) -> Int {
        let width = Self.slotWidth(of: property)
        guard width > 0 else { return -1 }
        defer { contents.rowSlotCount += width }
        return contents.rowSlotCount
    }

    /// Whether a property that an entity declares under an inherited name can lie where the inherited one does: a column of
    /// another type would change values, what derives one would overwrite the other, to-ones to another table would mix up keys, and
    /// to-manys have the columns of their inverses.
    private static func fits(_ property: NSPropertyDescription, _ inherited: PropertyLayout) -> Bool {
        let kind = PropertyKind(property)
        guard kind == inherited.kind, kind != .composite, kind != .toMany,
            slotWidth(of: property) == slotWidth(of: inherited.property)
        else { return false }
        let derivations = [property, inherited.property].map {
            ($0 as? NSDerivedAttributeDescription)?.derivationExpression?.description
        }
        guard derivations[0] == derivations[1] else { return false }
        guard let relationship = property as? NSRelationshipDescription else { return true }
        let other = inherited.property as? NSRelationshipDescription
        return relationship.destinationEntity?.name == other?.destinationEntity?.name
            && relationship.inverseRelationship?.name == other?.inverseRelationship?.name
    }

    private static func countOfDescendants(of entity: NSEntityDescription) -> Int {
        entity.subentities.reduce(0) { $0 + 1 + countOfDescendants(of: $1) }
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

extension EntityLayout {
    @usableFromInline struct Contents {
        @usableFromInline var properties: [PropertyLayout] = []
        @usableFromInline var rowSlotCount: Int = 0
        /// The places of properties of inherited names that can't lie where the inherited ones do.
        var redeclared: [Int] = []
        @usableFromInline var relationships: [PropertyLayout] = []
        @usableFromInline var storedLeaves: [PropertyLayout] = []
        @usableFromInline var transformables: [PropertyLayout] = []
        @usableFromInline var validatedProperties: [PropertyLayout] = []
        @usableFromInline var ruledProperties: [PropertyLayout] = []
        @usableFromInline var defaultRow: ContiguousArray<FieldValue> = []
    }

    /// The properties, inherited ones first, by ``PropertyLayout/index``.
    @inlinable
    @_spi(Engine) public var properties: [PropertyLayout] { contents.properties }

    /// How many slots a row of the entity has, inherited ones included.
    @inlinable
    @_spi(Engine) public var rowSlotCount: Int { contents.rowSlotCount }

    /// The relationships, to-one and to-many.
    @inlinable
    @_spi(Engine) public var relationships: [PropertyLayout] { contents.relationships }

    /// All properties that a row holds, composite attributes as their elements.
    @inlinable
    @_spi(Engine) public var storedLeaves: [PropertyLayout] { contents.storedLeaves }

    /// Those of them that a store keeps as archives.
    @inlinable
    @_spi(Engine) public var transformables: [PropertyLayout] { contents.transformables }

    /// The properties that are validated, in order.
    @inlinable
    @_spi(Engine) public var validatedProperties: [PropertyLayout] { contents.validatedProperties }

    /// Those of them that the model's rules can find wrong.
    @inlinable
    @_spi(Engine) public var ruledProperties: [PropertyLayout] { contents.ruledProperties }

    /// The values that a new object begins with, by row slot.
    @inlinable
    @_spi(Engine) public var defaultRow: ContiguousArray<FieldValue> { contents.defaultRow }
}

extension EntityLayout {
    /// Room for a row of any entity of a hierarchy.
    package var widestSlotCount: Int {
        model.entities[index...lastDescendantIndex].reduce(0) { max($0, $1.rowSlotCount) }
    }
}

extension EntityLayout {
    /// The properties that this entity declares and no superentity does, sorted by name.
    package var ownProperties: ArraySlice<PropertyLayout> { properties.dropFirst(superlayout?.properties.count ?? 0) }

    /// The entity, here or above, that declares a property which this one has.
    package func declarer(of property: PropertyLayout) -> EntityLayout {
        var layout = self
        while let parent = layout.superlayout, property.index < parent.properties.count { layout = parent }
        return layout
    }

    /// The properties under inherited names that don't fit the places of the inherited ones.
    fileprivate var redeclaredProperties: [PropertyLayout] { contents.redeclared.map { properties[$0] } }
}

extension ModelLayout {
    /// Refuses a model for stores that keep the rows of a hierarchy in one table: a request over an entity means one column by
    /// a name, and where a subentity has the name for something else, it would be the wrong one for its rows.
    ///
    /// Apple's framework stops where an entity declares an inherited name at all ("Entity already contains a property named …",
    /// in reports of several libraries).
    package func checkInheritedNames() throws {
        for entity in entities {
            guard let property = entity.redeclaredProperties.first, let above = entity.superlayout else { continue }
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                """
                \(entity.name).\(property.name) is of another kind than the property of that name that \(entity.name) \
                inherits from \(above.declarer(of: above.properties[property.index]).name); in this type of store it \
                needs another name.
                """)
        }
    }
}
