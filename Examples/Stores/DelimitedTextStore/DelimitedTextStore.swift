import CoreData
import Foundation

/// An atomic store over lines of text, one an object, as Apple's guide to atomic stores has them.
///
/// There are two kinds of lines, and a file may have both:
///
/// ```
/// Person,Robert,Tibbot,86349382003
/// Person::first:Robert:last:Tibbot:id:86349382003
/// ```
///
/// The first kind gives an entity and the values of its columns; which columns there are says the option
/// ``columnsOption``. The second kind names each value. The value of `id` is no property of the object: it's what the store
/// knows it by. A line that begins with `#` holds an entry of the store's metadata. See ``TextEscapes`` for the characters
/// that are written otherwise, and ``AttributeText`` for how values are.
///
/// The file is written with lines of the second kind, unless the first object that was read had the first kind; then objects
/// that have values beyond the columns get lines of the second kind.
public final class DelimitedTextStore: NSAtomicStore {
    /// The type to register the class under.
    public static let storeType = "DelimitedText"
    /// The option with the columns of lines of values: a dictionary of arrays of names by entity name. Without it the
    /// columns of an entity are its attributes by name, and the `id`.
    public static let columnsOption = "DelimitedTextStoreColumns"

    private static let lastNumberKey = "DelimitedTextStoreLastNumber"

    private var contents = DelimitedText()
    /// Why the file can't be read; thrown when the store is loaded.
    private var readFailure: (any Error)?
    private var isInFile = false
    private var lastNumber = 0

    // MARK: Opening

    /// Called for new stores and for existing ones. A file of zero length is a reservation for a new store.
    public override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        do {
            if let text = try DelimitedText.read(from: url) {
                contents = text
                isInFile = true
            }
        } catch {
            readFailure = error
        }
        // The coordinator asks for the metadata next, so it has to be right by now. A file that was written by hand gets a
        // UUID when it is saved.
        metadata = contents.metadata
        metadata[NSStoreTypeKey] = Self.storeType
        if metadata[NSStoreUUIDKey] == nil { metadata[NSStoreUUIDKey] = UUID().uuidString }
    }

    public override var type: String { Self.storeType }

    private var format: RecordFormat {
        RecordFormat(
            columns: options?[Self.columnsOption] as? [String: [String]] ?? [:], isPositional: contents.isPositional)
    }

    /// - Throws: an error that names the attribute for whose values there is no text.
    private func requireText(for attributes: [NSAttributeDescription]) throws {
        let types: [NSAttributeType] = [.objectIDAttributeType, .undefinedAttributeType]
        guard let attribute = attributes.first(where: { !$0.isTransient && types.contains($0.attributeType) }) else {
            return
        }
        let text = "There is no text for values of \(attribute.entity.name ?? "").\(attribute.name)."
        throw CocoaError(.persistentStoreIncompatibleSchema, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// - Throws: ``DelimitedTextError``, which names line and column.
    public override func load() throws {
        if let readFailure { throw readFailure }
        if !isInFile, isReadOnly { throw CocoaError(.fileReadNoSuchFile, userInfo: [NSURLErrorKey: url as Any]) }
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        try requireText(for: entities.values.flatMap(\.attributesByName.values))
        let records = try contents.records.map { try Record($0, entities: entities, format: format) }
        lastNumber = (metadata[Self.lastNumberKey] as? NSNumber)?.intValue ?? 0
        var nodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]
        for record in records {
            let id = objectID(for: record.entity, withReferenceObject: record.identifier.text)
            let node = NSAtomicStoreCacheNode(objectID: id)
            node.propertyCache = NSMutableDictionary(dictionary: record.attributes)
            guard nodes.updateValue(node, forKey: id) == nil else {
                throw record.identifier.error("another object has the id '\(record.identifier.text)' too")
            }
            lastNumber = max(lastNumber, Int(record.identifier.text) ?? 0)
        }
        addCacheNodes(Set(nodes.values))
        for record in records { try connect(record) }
        contents.records = []
    }

    private func connect(_ record: Record) throws {
        let node = cacheNode(for: objectID(for: record.entity, withReferenceObject: record.identifier.text))
        for (relationship, destinations) in record.destinations {
            let members = try destinations.map { field in
                guard let entity = relationship.destinationEntity,
                    let member = cacheNode(for: objectID(for: entity, withReferenceObject: field.text)),
                    member.objectID.entity.isKindOf(entity: entity)
                else {
                    let name = relationship.destinationEntity?.name ?? ""
                    throw field.error("\(relationship.name) leads to the \(name) '\(field.text)', which isn't there")
                }
                return member
            }
            if !relationship.isToMany {
                node?.setValue(members.first, forKey: relationship.name)
            } else {
                let collection: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
                node?.setValue(collection, forKey: relationship.name)
            }
        }
    }

    // MARK: Saving

    /// The next number, as a text like those in the file. It was never given to another object.
    public override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastNumber += 1
        metadata[Self.lastNumberKey] = NSNumber(value: lastNumber)
        return String(lastNumber)
    }

    public override func save() throws {
        guard let url, url.path != "/dev/null" else { return }
        let ordered = cacheNodes().map { (node: $0, identifier: identifier(of: $0)) }.sorted { left, right in
            (left.node.objectID.entity.name ?? "", left.identifier.count, left.identifier)
                < (right.node.objectID.entity.name ?? "", right.identifier.count, right.identifier)
        }
        let lines = ordered.map { node, identifier in
            format.line(of: node.objectID.entity, identifier: identifier) { property in
                node.value(forKey: property.name).flatMap { text(of: property, $0) }
            }
        }
        try DelimitedText.write(metadata: metadata, lines: lines, to: url)
        isInFile = true
    }

    private func identifier(of node: NSAtomicStoreCacheNode) -> String { "\(referenceObject(for: node.objectID))" }

    private func text(of property: NSPropertyDescription, _ value: Any) -> String? {
        if let attribute = property as? NSAttributeDescription { return AttributeText.text(value, of: attribute) }
        let members: [Any]
        switch value {
        case let set as NSOrderedSet: members = set.array
        case let set as NSSet: members = set.allObjects
        default: members = [value]
        }
        let identifiers = members.compactMap { $0 as? NSAtomicStoreCacheNode }.map {
            TextEscapes.escaped(identifier(of: $0))
        }
        if identifiers.isEmpty { return nil }
        return (value is NSOrderedSet ? identifiers : identifiers.sorted()).joined(separator: " ")
    }

    // MARK: Leaving

    /// Removes the reservation of a store that was never saved.
    public override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        if !isInFile, readFailure == nil, let url { DelimitedText.removeReservation(at: url) }
        super.willRemove(from: coordinator)
    }

    // MARK: Metadata without a stack

    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try existing(url).metadata.merging([NSStoreTypeKey: storeType]) { $1 }
    }

    public override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        let text = try existing(url)
        let own = text.metadata.filter { [NSStoreUUIDKey, lastNumberKey].contains($0.key) }
        try DelimitedText.write(
            metadata: own.merging(metadata ?? [:]) { $1 }, lines: text.records.map(\.text), to: url)
    }

    private class func existing(_ url: URL) throws -> DelimitedText {
        guard let text = try DelimitedText.read(from: url) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSURLErrorKey: url])
        }
        return text
    }
}
