import CoreData
import Foundation

/// A sound incremental store, unless its options name a defect.
final class TrialIncrementalStore: NSIncrementalStore {
    static let storeType = "TrialIncremental"
    /// In the options: whether Save As may fill the store in parts.
    static let savesAheadOption = "SavesAhead"
    override var type: String { Self.storeType }
    override var savesReferencesAhead: Bool { options?[Self.savesAheadOption] as? Bool ?? false }

    private lazy var defect = StoreDefect(options)
    /// What IDs have more than numbers: another number each time that the store is opened.
    /// What exchanges the numbers of neighbours, in every other stack that has the store open.
    private lazy var exchange = defect == .mixesIDs ? TokenFile.countOpening(of: place) % 2 : 0
    private lazy var offset = defect == .changesIDs ? Int.random(in: 1...1_000_000) : 0
    private var cache: [NSManagedObjectID: NSIncrementalStoreNode] = [:]
    private var place: URL { url ?? URL(fileURLWithPath: "/dev/null") }

    // MARK: Metadata

    override func loadMetadata() throws {
        let stored = try contents()
        if !stored.metadata.isEmpty { metadata = stored.metadataRead(by: defect) }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try TokenFile.metadata(at: url)
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try TokenFile.setMetadata(metadata, at: url)
    }

    override class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        if StoreDefect(options) == .ignoresReplacements { return }
        try super.replacePersistentStore(
            at: url, options: options, withPersistentStoreFrom: source, sourceOptions: sourceOptions)
    }

    private func contents() throws -> StoredContents {
        do {
            return try TokenFile.read(place) ?? StoredContents()
        } catch  where defect == .takesGarbageForNew {
            return StoredContents()
        }
    }

    // MARK: Requests

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let fetch as AnyFetchRequest:
            return try evaluate(spoiled(fetch), over: nodes(for: fetch), with: context)
        case let save as NSSaveChangesRequest:
            try self.save(save)
            return []
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func nodes(for fetch: AnyFetchRequest) throws -> [NSIncrementalStoreNode] {
        try contents().rows.sorted { $0.key < $1.key }.compactMap { number, row in
            let id = try id(number, row)
            guard let wanted = fetch.entity, id.entity.isKindOf(entity: wanted) else { return nil }
            if id.entity != wanted, defect == .ignoresSubentities { return nil }
            return try node(id, row)
        }
    }

    private func spoiled(_ fetch: AnyFetchRequest) -> AnyFetchRequest {
        switch defect {
        case .ignoresPredicate: fetch.predicate = nil
        case .ignoresCase: fetch.predicate = fetch.predicate.map(withoutCase)
        case .ignoresSortOrder: fetch.sortDescriptors = nil
        case .ignoresLimit: fetch.fetchLimit = 0
        case .ignoresOffset: fetch.fetchOffset = 0
        case .countsEverything where fetch.resultType == .countResultType: fetch.predicate = nil
        case .ignoresGroups: fetch.propertiesToGroupBy = nil
        case .ignoresDistinctness: fetch.returnsDistinctResults = false
        case .ignoresConditionsOnGroups: fetch.havingPredicate = nil
        default: break
        }
        return fetch
    }

    private func withoutCase(_ predicate: NSPredicate) -> NSPredicate {
        guard let comparison = predicate as? NSComparisonPredicate,
            comparison.rightExpression.expressionType == .constantValue,
            comparison.rightExpression.constantValue is String
        else { return predicate }
        return NSComparisonPredicate(
            leftExpression: comparison.leftExpression, rightExpression: comparison.rightExpression,
            modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
            options: comparison.options.union(.caseInsensitive))
    }

    // MARK: Values

    private func id(_ number: Int, _ row: StoredContents.Row) throws -> NSManagedObjectID {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[row.entity] else {
            throw TokenFile.Failure(errorDescription: "there is no entity \(row.entity)")
        }
        return newObjectID(for: entity, referenceObject: reference(number))
    }

    private func number(_ id: NSManagedObjectID) -> Int {
        (((referenceObject(for: id) as? NSNumber)?.intValue ?? 0) - offset) ^ exchange
    }

    private func reference(_ number: Int) -> Int { (number ^ exchange) + offset }

    private func node(_ id: NSManagedObjectID, _ row: StoredContents.Row) throws -> NSIncrementalStoreNode {
        if defect == .cachesForEver, let known = cache[id] { return known }
        var values = row.values
        for (name, relationship) in id.entity.relationshipsByName {
            values[name] = relationship.isToMany ? nil : try ids(row.values[name]).first ?? NSNull() as Any
        }
        let node = NSIncrementalStoreNode(objectID: id, withValues: values, version: row.version)
        cache[id] = node
        return node
    }

    private func ids(_ numbers: Any?) throws -> [NSManagedObjectID] {
        let rows = try contents().rows
        return try (numbers as? [Int] ?? []).compactMap { number in try rows[number].map { try id(number, $0) } }
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        if let row = try contents().rows[number(objectID)] { return try node(objectID, row) }
        guard defect == .inventsMissingObjects else { throw CocoaError(.managedObjectReferentialIntegrity) }
        return NSIncrementalStoreNode(objectID: objectID, withValues: [:], version: 1)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        if defect == .losesToMany { return [] as [NSManagedObjectID] }
        return try ids(contents().rows[number(objectID)]?.values[relationship.name])
    }

    // MARK: Saving

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        let numbers = TokenFile.newNumbers(array.count, besides: Set(try contents().rows.keys), defect: defect)
        return zip(array, numbers).map { newObjectID(for: $0.entity, referenceObject: reference($1)) }
    }

    private func save(_ request: NSSaveChangesRequest) throws {
        let old = try contents()
        var new = old
        let (inserted, updated) = (request.insertedObjects ?? [], request.updatedObjects ?? [])
        let deleted = request.deletedObjects ?? []
        let conflicts = updated.union(deleted).compactMap { conflict(of: $0, with: old) }
        guard conflicts.isEmpty || defect == .overwritesConflicts else {
            throw CocoaError(.managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
        }
        for object in inserted.union(updated) {
            let version = defect == .neverCountsVersions ? 1 : version(of: object) + 1
            new.rows[number(object.objectID)] = StoredContents.Row(
                entity: object.entity.name ?? "", values: values(of: object), version: version)
        }
        for object in deleted { new.rows[number(object.objectID)] = nil }
        new.metadata = metadata ?? [:]
        try TokenFile.write(new, over: old, to: place, defect: defect)
    }

    private func conflict(of object: NSManagedObject, with contents: StoredContents) -> NSMergeConflict? {
        let row = contents.rows[number(object.objectID)]
        guard row?.version != version(of: object) else { return nil }
        return NSMergeConflict(
            source: object, newVersion: Int(row?.version ?? 0), oldVersion: Int(version(of: object)),
            cachedSnapshot: nil, persistedSnapshot: nil)
    }

    private func values(of object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, property) in object.entity.propertiesByName where !property.isTransient {
            if property is NSRelationshipDescription {
                values[name] = object.objectIDs(forRelationshipNamed: name).map(number)
            } else {
                values[name] = object.value(forKey: name)
            }
        }
        return values
    }
}
