import ManagedObjectModel
import Synchronization

// Safe: all but what is behind a lock is constant once it is compiled. So no access need be checked.
/// A managed object model, compiled once, when the first coordinator or object uses it.
@_spi(Engine) public final class ModelLayout: @unchecked Sendable {
    package let model: NSManagedObjectModel
    /// Depth first, siblings by name without regard to case: the order in which SQLite stores number entities.
    @inlinable
    @_spi(Engine) public var entities: [EntityLayout] { laidOut }
    // Safe: constant once the model is compiled.
    @exclusivity(unchecked) @usableFromInline var laidOut: [EntityLayout] = []
    @exclusivity(unchecked) private var indexByName: [String: Int] = [:]

    /// A number that no other layout of any model in this process has, or had.
    private let stamp: UInt64
    private static let lastStamp = Atomic<UInt64>(0)
    private static let entityBits: UInt64 = 16
    /// Whether some entity has properties that a store keeps as archives.
    package private(set) var hasTransformables = false
    /// Whether all objects are plain `NSManagedObject`s, whatever classes the model names.
    // Safe: set before others see the layout.
    @exclusivity(unchecked) package private(set) var makesPlainObjects = false
    /// A reference that doesn't retain the layout, for the model, which the layout itself retains, and for others like
    /// it.
    package let reference = BackReference<ModelLayout>()

    /// The entities that classes turned out to belong to, which the object graph looks up once.
    package let entityIndexByClass = Mutex<[ObjectIdentifier: Int]>([:])

    private static let compiling = Mutex(())

    /// The layout of a model. The model becomes immutable.
    package static func of(_ model: NSManagedObjectModel) -> ModelLayout {
        compiling.withLock { _ in
            if let cached = (model.compiledLayout as? BackReference<ModelLayout>)?.target { return cached }
            model.makeImmutable()
            let layout = ModelLayout(model)
            model.compiledLayout = layout.reference
            return layout
        }
    }

    /// A copy of a model whose objects are all plain `NSManagedObject`s. The classes that it names stay those of the
    /// model, so that a store that is made for it has the same metadata.
    package static func ofPlainCopy(of model: NSManagedObjectModel) -> ModelLayout {
        let layout = of(model.copy() as! NSManagedObjectModel)
        layout.makesPlainObjects = true
        return layout
    }

    /// Makes the layout of an entity that belongs to no model, and of its superentities and subentities, as they are
    /// now.
    package convenience init(of entity: NSEntityDescription) {
        let root = sequence(first: entity, next: \.superentity).reduce(entity) { $1 }
        self.init(NSManagedObjectModel(), root: root)
    }

    /// The entity that the layout keeps because its model doesn't.
    private let keptRoot: NSEntityDescription?

    private init(_ model: NSManagedObjectModel, root: NSEntityDescription? = nil) {
        self.model = model
        keptRoot = root
        stamp = Self.lastStamp.add(1, ordering: .relaxed).newValue
        reference.set(self)
        let roots = root.map { [$0] } ?? model.entities.filter { $0.superentity == nil }
        for root in Self.inNumberingOrder(roots) { add(root, below: nil) }
        for layout in entities {
            connect(layout)
            if !layout.transformables.isEmpty { hasTransformables = true }
            // It may become part of a model yet.
            if root != nil { continue }
            layout.entity.compiledPlace.store(
                stamp << Self.entityBits | UInt64(layout.index), ordering: .relaxed)
        }
    }

    deinit { reference.clear() }

    package func entity(named name: String) -> EntityLayout? {
        indexByName[name].map { entities[$0] }
    }

    /// The layout of an entity of this model, or of an equally named entity of an equal model: a migration manager, say, works
    /// with copies.
    package func layout(of entity: NSEntityDescription) -> EntityLayout? {
        let place = entity.compiledPlace.load(ordering: .relaxed)
        if place >> Self.entityBits == stamp { return entities[Int(place & (1 << Self.entityBits - 1))] }
        return self.entity(named: entity.name ?? "")
    }

    private func add(_ entity: NSEntityDescription, below parent: EntityLayout?) {
        let layout = EntityLayout(entity, index: entities.count, superlayout: parent, model: self)
        indexByName[layout.name] = layout.index
        laidOut.append(layout)
        parent?.sublayouts.append(layout)
        for child in Self.inNumberingOrder(entity.subentities) { add(child, below: layout) }
    }

    private func connect(_ layout: EntityLayout) {
        for property in layout.properties {
            guard let relationship = property.relationship, let name = relationship.destinationEntity?.name else {
                continue
            }
            property.otherEnd.entity = entity(named: name)
            if let inverseName = relationship.inverseRelationship?.name {
                property.otherEnd.inverse = property.destination?.property(named: inverseName)
            }
        }
    }

    private static func inNumberingOrder(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        let keyed = entities.map { entity in
            let name = entity.name ?? ""
            return (key: name.lowercased(), name: name, entity: entity)
        }
        return keyed.sorted { ($0.key, $0.name) < ($1.key, $1.name) }.map(\.entity)
    }
}
