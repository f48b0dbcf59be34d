import Foundation
import Synchronization

/// The entities of a program's object graph, with configurations and fetch request templates.
///
/// May be changed until a coordinator uses it; afterwards it may be read on any thread, and changing it, or
/// anything in it, is a programming error. Copy it to change it.
open class NSManagedObjectModel: NSObject, NSCopying, NSSecureCoding {
    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool { true }

    /// A place in which the storey above keeps what it has worked out about the model.
    ///
    /// It has to publish the object under a lock of its own.
    package final var compiledLayout: AnyObject?

    /// Whether the model, or a part of it, was found in a store's file, so that the file's author has chosen what it says.
    package final var isFromFile = false

    /// The class, the address, the entities and the fetch request templates.
    open override var description: String { PrintedDescription.text(of: self) }

    /// Whether a coordinator uses the model.
    package final private(set) var isImmutable = false

    private var storedEntities: [NSEntityDescription] = []
    private var frozenEntitiesByName: [String: NSEntityDescription]?
    private var frozenVersionHashes: [String: Data]?
    private var entitiesByConfiguration: [String: [NSEntityDescription]] = [:]
    private var templates: [String: NSFetchRequest<NSFetchRequestResult>] = [:]

    /// All entities, subentities included.
    ///
    /// Setting them connects relationships that know their destination and inverse by name only.
    open var entities: [NSEntityDescription] {
        get { storedEntities }
        set {
            requireMutable()
            for entity in storedEntities where entity.owningModel === self { entity.owningModel = nil }
            storedEntities = newValue
            for entity in newValue {
                entity.requireMutable()
                entity.owningModel = self
            }
            connectRelationships()
        }
    }

    /// All entities by name. Constant time once the model is in use, else proportional to their number.
    open var entitiesByName: [String: NSEntityDescription] {
        frozenEntitiesByName
            ?? Dictionary(storedEntities.compactMap { entity in entity.name.map { ($0, entity) } }) { first, _ in first
            }
    }

    /// The names of the configurations, and of the default one, which is the whole model:
    /// `PF_DEFAULT_CONFIGURATION_NAME` (seen in what public programs print and take out).
    open var configurations: [String] {
        let named = namedConfigurations
        return named.contains(Self.defaultConfigurationName) ? named : named + [Self.defaultConfigurationName]
    }

    /// The names of the configurations that the model's author has made.
    package final var namedConfigurations: [String] { entitiesByConfiguration.keys.sorted() }

    /// The entities of a configuration; all of them for nil; nil for a name that the model does not have.
    ///
    /// "Default" is what Xcode's editor calls the whole model, where the model has no configuration of that name (our choice).
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration else { return entities }
        return entitiesByConfiguration[configuration]
            ?? ([Self.defaultConfigurationName, "Default"].contains(configuration) ? entities : nil)
    }

    /// The entities whose objects a store of a configuration holds: those that it names and their subentities, which lie in
    /// the same table; nil for a name that the model does not have.
    package final func storedEntities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let named = entities(forConfigurationName: configuration) else { return nil }
        guard named.count < storedEntities.count else { return named }
        return storedEntities.filter { entity in named.contains { entity.isKindOf(entity: $0) } }
    }

    /// Makes a configuration of those entities, which have to be in the model.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireMutable()
        for entity in entities where entity.owningModel !== self {
            fatalError("Can't find entity \"\(entity.name ?? "")\" of configuration \"\(configuration)\" in the model.")
        }
        entitiesByConfiguration[configuration] = entities
    }

    /// Keeps a request under a name, or removes it for nil.
    ///
    /// Apple's parameter, from which `NSFetchRequest(entityName: "Book")` takes its type.
    public final func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<NSFetchRequestResult>?, forName name: String
    ) {
        setFetchRequestTemplate(fetchRequestTemplate as AnyFetchRequest?, forName: name)
    }

    /// Keeps a request of any type under a name, or removes it for nil.
    @_disfavoredOverload
    open func setFetchRequestTemplate(_ fetchRequestTemplate: AnyFetchRequest?, forName name: String) {
        requireMutable()
        templates[name] =
            (fetchRequestTemplate as? NSFetchRequest<NSFetchRequestResult>) ?? fetchRequestTemplate?.erasedCopy()
    }

    /// The request kept under that name. Copy it to change it.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? {
        templates[name]
    }

    /// All kept requests by name.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] { templates }

    /// Returns a copy of the request kept under that name with values for its variables.
    ///
    /// - Parameter variables: a value for every variable of the request; `NSNull` stands for nil.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<NSFetchRequestResult>? {
        guard let request = templates[name]?.erasedCopy() else { return nil }
        request.predicate = request.predicate?.withSubstitutionVariables(variables)
        request.havingPredicate = request.havingPredicate?.withSubstitutionVariables(variables)
        return request
    }

    /// Names for people to read, by keys such as "Entity/Book", "Property/title/Entity/Book", "Property/title"
    /// and "ErrorString/text".
    ///
    /// May be set also while the model is in use, as it changes nothing that stores or contexts have worked out.
    open var localizationDictionary: [String: String]? {
        get { localizedNames.withLock { $0 } }
        set { localizedNames.withLock { $0 = newValue } }
    }

    private let localizedNames = Mutex<[String: String]?>(nil)

    /// Texts that name the version for the model's author. They do not matter to stored data.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }

    /// The version hashes of all entities. They are worked out again only after something was changed.
    open var entityVersionHashesByName: [String: Data] {
        if let frozenVersionHashes { return frozenVersionHashes }
        let state = DescriptionChanges.count
        if let known = knownVersionHashes.withLock({ $0 }), known.state == state { return known.hashes }
        let hashes = VersionHasher.hashes(of: storedEntities)
        knownVersionHashes.withLock { $0 = (state, hashes) }
        return hashes
    }

    private let knownVersionHashes = Mutex<(state: Int, hashes: [String: Data])?>(nil)

    /// What of the model's file was not as it should be, where it was read all the same.
    package final var readingIssues: [ModelIssue] = []

    /// The base64 text of a digest of all entities' version hashes, as in `VersionInfo.plist` and in store metadata.
    open var versionChecksum: String { VersionHasher.checksum(of: entityVersionHashesByName) }

    /// Makes a model without entities.
    public override init() {
        super.init()
    }

    /// Reads a model that `encode(with:)` wrote. Returns nil where the data is not one.
    public required init?(coder: NSCoder) {
        super.init()
        guard let source: NSManagedObjectModel = DescriptionCoding.decode(from: coder) else { return nil }
        assign(from: source)
    }

    /// Writes one archive in Apple's layout into the coder, which this package reads.
    open func encode(with coder: NSCoder) {
        DescriptionCoding.encode(self, with: coder)
    }

    /// Returns a deep copy that may be changed: its relationships lead to its own entities.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).madePlainly(())
        copy.assign(from: self)
        return copy
    }

    /// Two models are equal that have equal entities, configurations, templates and version identifiers.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        if self === other { return true }
        return entitiesByName == other.entitiesByName && templates == other.templates
            && versionIdentifiers == other.versionIdentifiers
            && entitiesByConfiguration.mapValues(Self.names) == other.entitiesByConfiguration.mapValues(Self.names)
    }

    /// A hash that equal objects share.
    open override var hash: Int { storedEntities.count }

    /// Forbids further changes, for good, and builds the look-up tables. Repeated calls do nothing.
    package final func makeImmutable() {
        guard !isImmutable else { return }
        for entity in storedEntities { entity.makeImmutable() }
        for template in templates.values { template.makeImmutable() }
        frozenEntitiesByName = entitiesByName
        frozenVersionHashes = entityVersionHashesByName
        isImmutable = true
    }

    /// Points relationships, fetched properties and templates at the entities that they know by name.
    package final func connectRelationships() {
        let byName = entitiesByName
        var relationships: [ObjectIdentifier: [String: NSRelationshipDescription]] = [:]
        func inverse(named name: String, of entity: NSEntityDescription) -> NSRelationshipDescription? {
            let key = ObjectIdentifier(entity)
            if let table = relationships[key] { return table[name] }
            let table = entity.relationshipsByName
            relationships[key] = table
            return table[name]
        }
        for property in storedEntities.lazy.flatMap(\.ownProperties) {
            if let relationship = property as? NSRelationshipDescription {
                relationship.connect(in: byName, findingInverseWith: inverse)
            } else if let request = (property as? NSFetchedPropertyDescription)?.fetchRequest {
                connect(request, in: byName)
            }
        }
        for request in templates.values { connect(request, in: byName) }
    }

    // MARK: Models of stores

    /// The models of the bundles' resources merged into one; those of the main bundle for nil.
    ///
    /// The resource bundles of the targets that the program consists of count as parts of the main bundle.
    ///
    /// Returns nil where there is no model. Only the current versions of `.momd` bundles count. A model that can't be read
    /// is left out, and said on standard error.
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { merged(from: bundles) }

    /// The model of a store, from the bundles' models, all versions included; nil where an entity of the store is in none
    /// of them.
    ///
    /// That is the version which the store was made for. Where there is none, it is put together from the entities of
    /// a version that has them all, or else of several. Files that can't be read and might have had them are said on
    /// standard error.
    open class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? { merged(from: bundles, forStoreOf: metadata) }

    /// Whether a store of that metadata holds exactly the configuration's entities, with their subentities, in the same
    /// versions.
    open func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool { fits(configuration, metadata) }

    private func connect(_ request: AnyFetchRequest, in entitiesByName: [String: NSEntityDescription]) {
        if let name = request.entityName, let entity = entitiesByName[name] { request.entity = entity }
    }

    /// The name under which the whole model goes where a configuration has to have one, as in store metadata.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    private static func names(_ entities: [NSEntityDescription]) -> Set<String> {
        Set(entities.compactMap(\.name))
    }

    private func assign(from other: NSManagedObjectModel) {
        adopt(copiesOf: other.entities)
        let byName = entitiesByName
        for (name, members) in other.entitiesByConfiguration {
            entitiesByConfiguration[name] = members.compactMap { $0.name.flatMap { byName[$0] } }
        }
        templates = other.templates.mapValues { $0.erasedCopy() }
        localizationDictionary = other.localizationDictionary
        versionIdentifiers = other.versionIdentifiers
        isFromFile = other.isFromFile
        connectRelationships()
    }

    /// Takes copies of the entities, with the hierarchy that the originals have, told by names.
    package final func adopt(copiesOf originals: [NSEntityDescription]) {
        let copies = originals.map { $0.copied() }
        let children = Dictionary(grouping: zip(originals, copies)) { $0.0.superentity?.name }
        for copy in copies {
            // An entity without a name can't be a parent.
            guard let name = copy.name else { continue }
            copy.connect(subentities: children[name]?.map(\.1) ?? [])
        }
        entities = storedEntities + copies
    }

    private func requireMutable() {
        if isImmutable { fatalError("Can't modify an immutable model.") }
        DescriptionChanges.increment()
    }
}
