@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Nodes of a store that a fetch is evaluated over, and what is reached from them.
///
/// Key-value coding can't throw, so the first failure is kept until the caller asks for it.
final class NodeGraph {
    private let store: NSIncrementalStore
    private let context: NSManagedObjectContext
    private var records: [NSManagedObjectID: NodeRecord] = [:]
    private(set) var given: [NodeRecord] = []
    /// The nodes that were asked for on the way.
    private(set) var loaded: [NSIncrementalStoreNode] = []
    private var cohorts: [NodeReadBatch] = []
    private var failure: (any Error)?

    init(_ nodes: [NSIncrementalStoreNode], store: NSIncrementalStore, context: NSManagedObjectContext) {
        self.store = store
        self.context = context
        given = nodes.map { NodeRecord($0, in: self) }
        add(given)
    }

    /// - Throws: the first failure to read a value.
    func throwFailure() throws { if let failure { throw failure } }

    /// The value of an attribute as objects have it.
    func attribute(_ property: PropertyLayout, of node: NSIncrementalStoreNode) -> Any? {
        guard let value = node.value(for: property.property), !(value is NSNull) else { return nil }
        guard let field = FieldValue(value, kind: property.kind) else {
            recordFailure {
                try StoreAnswers(store).error(
                    "gave a \(Swift.type(of: value)) for \(property.owner.name).\(property.name), which is "
                        + "\(property.attribute?.attributeValueClassName ?? "of another type")")
            }
            return nil
        }
        return field.anyValue(of: property)
    }

    /// The objects at the other end of a relationship. What one record of a cohort needs, the others will need too.
    func destinations(_ property: PropertyLayout, of record: NodeRecord) -> [NodeRecord] {
        guard let cohort = record.cohort else { return [] }
        if !cohort.followed.contains(property.name) {
            cohort.followed.insert(property.name)
            let reached = cohort.records.flatMap { ids(property.name, of: $0) }
            load(reached.uniqued().filter { records[$0] == nil })
        }
        return ids(property.name, of: record).compactMap { records[$0] }
    }

    private func ids(_ name: String, of record: NodeRecord) -> [NSManagedObjectID] {
        if let known = record.destinations[name] { return known }
        guard failure == nil, let property = record.node.objectID.layout.property(named: name),
            let relationship = property.relationship
        else { return [] }
        var ids: [NSManagedObjectID] = []
        do {
            let value =
                try record.node.value(for: relationship)
                ?? store.newValue(forRelationship: relationship, forObjectWith: record.node.objectID, with: context)
            let answers = try StoreAnswers(store)
            ids = try answers.keys(in: value, of: property).map(answers.id)
        } catch {
            failure = error
        }
        record.destinations[name] = ids
        return ids
    }

    private func load(_ ids: [NSManagedObjectID]) {
        guard !ids.isEmpty, failure == nil else { return }
        do {
            let wanted = Set(ids)
            let atHand = store.nodesOfAnswers.current.filter { wanted.contains($0.objectID) }
            let missing = wanted.subtracting(atHand.map(\.objectID))
            let read =
                missing.isEmpty
                ? [] : try store.newValuesForObjects(with: ids.filter { missing.contains($0) }, with: context)
            loaded += read
            add((atHand + read).map { NodeRecord($0, in: self) })
        } catch {
            failure = error
        }
    }

    private func add(_ new: [NodeRecord]) {
        let cohort = NodeReadBatch(new)
        cohorts.append(cohort)
        for record in new {
            record.cohort = cohort
            records[record.node.objectID] = record
        }
    }

    private func recordFailure(_ error: () throws -> any Error) {
        guard failure == nil else { return }
        do { failure = try error() } catch { failure = error }
    }
}
