import Foundation
import FoundationCompat
import Synchronization

import class FoundationCompat.NSExpression

/// The description of an entity: its name, class, properties and place in the hierarchy.
///
/// May be changed until its model is used by a coordinator; afterwards it may be read on any thread, and changing
/// it is a programming error.
open class NSEntityDescription: NSObject, NSCopying, NSSecureCoding {
    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool { true }

    /// The class, the address and what the entity is made of.
    open override var description: String { PrintedDescription.text(of: self) }

    /// A number in which the storey above keeps where it has put what it has worked out about the entity; 0 for nowhere. It is
    /// a number, as any thread may ask for it while another one compiles the entity's model.
    package final let compiledPlace = Atomic<UInt64>(0)

    /// Whether the entity's model is in use.
    package final private(set) var isImmutable = false

    /// The look-up tables of an entity whose model is in use.
    private var frozenTables: EntityTables?

    /// The model that holds the entity, if one does.
    package final weak var owningModel: NSManagedObjectModel?

    /// The model that holds the entity. It is a programming error to ask an entity that is in none.
    open var managedObjectModel: NSManagedObjectModel {
        guard let owningModel else { fatalError("The entity \"\(name ?? "")\" does not belong to a model.") }
        return owningModel
    }

    /// The entity's name.
    open var name: String? { willSet { requireMutable() } }

    /// The class name that was set, where it was.
    package final var explicitClassName: String? { willSet { requireMutable() } }

    /// The bundle of a package's target that the entity's model was read from: its class is looked for there first.
    package final var targetBundle: TargetBundle?

    /// The name of the class of the entity's objects; "NSManagedObject" where none was set.
    open var managedObjectClassName: String! {
        get { explicitClassName ?? "NSManagedObject" }
        set { explicitClassName = newValue }
    }

    /// Whether the entity has no objects of its own, only its subentities have. False by default.
    open var isAbstract: Bool = false { willSet { requireMutable() } }

    private weak var parent: NSEntityDescription?
    private var children: [NSEntityDescription] = []

    /// The entity that this one inherits from. Set through `subentities` of that one.
    open var superentity: NSEntityDescription? { parent }

    /// The entities that inherit directly from this one.
    ///
    /// Setting them drops the `indexes` of every entity in the hierarchies that change, as Apple's page "indexes" says.
    open var subentities: [NSEntityDescription] {
        get { children }
        set {
            let former = children
            connect(subentities: newValue)
            for child in former where child.parent !== self { child.dropIndexesOfHierarchy() }
            dropIndexesOfHierarchy()
        }
    }

    /// Sets the subentities and leaves indexes as they are: for hierarchies that are read or copied as a whole.
    package final func connect(subentities: [NSEntityDescription]) {
        requireMutable()
        for child in subentities {
            child.requireMutable()
            if isKindOf(entity: child) {
                fatalError("The entity \"\(child.name ?? "")\" can't be its own ancestor.")
            }
        }
        for child in children { child.parent = nil }
        children = subentities
        for child in subentities { child.parent = self }
    }

    /// The entities that inherit directly from this one, by name.
    open var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(children.compactMap { child in child.name.map { ($0, child) } }) { first, _ in first }
    }

    /// The properties that the entity declares itself.
    package final private(set) var ownProperties: [NSPropertyDescription] = []

    /// The entity's properties, the inherited ones first.
    ///
    /// The setter takes the entity's own ones; inherited ones among them are left where they are, so that
    /// `entity.properties += [property]` works for a subentity too. Setting them drops the `indexes` of every entity in
    /// the hierarchy, as Apple's page "indexes" says.
    open var properties: [NSPropertyDescription] {
        get { tables.properties }
        set {
            declare(properties: newValue)
            dropIndexesOfHierarchy()
        }
    }

    /// Sets the properties and leaves indexes as they are: for models that are read as a whole.
    package final func declare(properties: [NSPropertyDescription]) {
        requireMutable()
        let inherited = Set((parent?.properties ?? []).map(ObjectIdentifier.init))
        for property in ownProperties where property.declaringEntity === self { property.declaringEntity = nil }
        ownProperties = properties.filter { !inherited.contains(ObjectIdentifier($0)) }
        for property in ownProperties {
            property.requireMutable()
            property.declaringEntity = self
        }
    }

    /// All properties, inherited ones included, by name.
    ///
    /// Constant time once the model is in use, else proportional to the number of properties.
    open var propertiesByName: [String: NSPropertyDescription] { tables.propertiesByName }

    /// All attributes, inherited ones included, by name.
    open var attributesByName: [String: NSAttributeDescription] { tables.attributesByName }

    /// All relationships, inherited ones included, by name.
    open var relationshipsByName: [String: NSRelationshipDescription] { tables.relationshipsByName }

    private var tables: EntityTables { frozenTables ?? EntityTables(of: self) }

    /// The relationships, inherited ones included, whose destination is the entity.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
    }

    /// Whether the entity is the other one or inherits from it.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        var ancestor: NSEntityDescription? = self
        while let current = ancestor {
            if current === entity { return true }
            ancestor = current.parent
        }
        return false
    }

    /// The property of that name, looked for in the entity and then upwards, without building tables.
    package final func inheritedOrOwnProperty(named name: String) -> NSPropertyDescription? {
        if let frozenTables { return frozenTables.propertiesByName[name] }
        return ownProperties.first { $0.name == name } ?? parent?.inheritedOrOwnProperty(named: name)
    }

    /// Free notes of the model's author.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// A text that makes the version hash differ where nothing else in the model does.
    open var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name under which older versions of the model know the entity, or nil where there is none.
    package final var explicitRenamingIdentifier: String? { willSet { requireMutable() } }

    /// The name that ties the entity to one of the older model's during migration; the name where unset.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? name }
        set { explicitRenamingIdentifier = newValue }
    }

    /// The SHA-256 digest, 32 bytes, of what in the entity and its ancestors matters to stored data.
    open var versionHash: Data { frozenVersionHash ?? VersionHasher.hash(of: self) }

    /// The same, once the entity can't change any more.
    final var frozenVersionHash: Data? { frozenTables?.versionHash }

    /// The indexes that a store is to keep for the entity.
    ///
    /// Set them last: they are dropped when properties are set, or the hierarchy changes, anywhere in the hierarchy.
    open var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireMutable() }
        didSet {
            for index in oldValue where index.entity === self { index.entity = nil }
            for index in indexes { index.entity = self }
        }
    }

    private func dropIndexesOfHierarchy() {
        var root = self
        while let ancestor = root.parent { root = ancestor }
        var remaining = [root]
        while let entity = remaining.popLast() {
            if !entity.indexes.isEmpty { entity.indexes = [] }
            remaining += entity.children
        }
    }

    /// Lists of attributes, by name or description, whose values together no two objects may share.
    open var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }

    /// Indexes over several properties, as older models have them. Replaced by `indexes`.
    open var compoundIndexes: [[Any]] = [] { willSet { requireMutable() } }

    private var spotlightDisplayNameExpression: NSExpression?

    /// What Spotlight shows for an object. Has no effect on Linux; kept for model files.
    open var coreSpotlightDisplayNameExpression: NSExpression {
        get { spotlightDisplayNameExpression ?? NSExpression(forConstantValue: nil) }
        set {
            requireMutable()
            spotlightDisplayNameExpression = newValue
        }
    }

    /// Makes an entity without a name.
    public override init() {
        super.init()
    }

    /// Reads an entity that `encode(with:)` wrote. Returns nil where the data is not one.
    public required init?(coder: NSCoder) {
        super.init()
        guard let source: NSEntityDescription = DescriptionCoding.decode(from: coder) else { return nil }
        assign(from: source)
    }

    /// Writes one archive in Apple's layout into the coder, which this package reads.
    open func encode(with coder: NSCoder) {
        DescriptionCoding.encode(self, with: coder)
    }

    /// Returns an entity with copies of the properties that is in no model, has no relatives and may be changed.
    ///
    /// Its relationships keep the names of their destinations and inverses and find the entities of those names
    /// when it is put into a model.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Swift.type(of: self).madePlainly(())
        copy.assign(from: self)
        return copy
    }

    /// A copy in its own type.
    final func copied() -> NSEntityDescription {
        // `copy(with:)` makes an instance of this class or a subclass.
        copy(with: nil) as! NSEntityDescription
    }

    private func assign(from other: NSEntityDescription) {
        name = other.name
        explicitClassName = other.explicitClassName
        targetBundle = other.targetBundle
        isAbstract = other.isAbstract
        properties = other.ownProperties.map { $0.copied() }
        userInfo = other.userInfo
        versionHashModifier = other.versionHashModifier
        explicitRenamingIdentifier = other.explicitRenamingIdentifier
        uniquenessConstraints = other.uniquenessConstraintNames
        compoundIndexes = other.compoundIndexes
        spotlightDisplayNameExpression = other.spotlightDisplayNameExpression
        indexes = other.indexes.map { $0.copied() }
    }

    /// Two entities are equal that have the same contents, relatives being compared by name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        if self === other { return true }
        return name == other.name && hasSameContents(as: other)
    }

    /// A hash that equal objects share.
    open override var hash: Int { name.hashValue }

    private func hasSameContents(as other: NSEntityDescription) -> Bool {
        managedObjectClassName == other.managedObjectClassName && isAbstract == other.isAbstract
            && parent?.name == other.parent?.name && renamingIdentifier == other.renamingIdentifier
            && (versionHashModifier ?? "") == (other.versionHashModifier ?? "")
            && ValueEquality.areEqual(userInfo ?? [:], other.userInfo ?? [:])
            && uniquenessConstraintNames == other.uniquenessConstraintNames
            && ValueEquality.areEqual(compoundIndexes, other.compoundIndexes)
            && ownProperties.count == other.ownProperties.count
            && zip(ownProperties.sortedByName(), other.ownProperties.sortedByName()).allSatisfy { $0.isEqual($1) }
            && ValueEquality.areEqual(indexes.sorted { $0.name < $1.name }, other.indexes.sorted { $0.name < $1.name })
    }

    /// The uniqueness constraints with properties replaced by their names.
    package final var uniquenessConstraintNames: [[String]] {
        uniquenessConstraints.map { constraint in
            constraint.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
        }
    }

    /// Forbids further changes, for good, and builds the look-up tables. The ancestors have to be done before.
    package final func makeImmutable() {
        guard !isImmutable else { return }
        parent?.makeImmutable()
        for property in ownProperties { property.makeImmutable() }
        for index in indexes { index.makeImmutable() }
        var tables = EntityTables(of: self)
        tables.versionHash = VersionHasher.hash(of: self, tables)
        frozenTables = tables
        isImmutable = true
    }

    /// Stops the program if the entity's model is in use.
    package final func requireMutable() {
        if isImmutable { fatalError("Can't modify an immutable model.") }
        DescriptionChanges.increment()
    }
}
