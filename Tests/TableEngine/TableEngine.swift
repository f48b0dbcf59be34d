@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel
import Synchronization

/// A store in a table of this process, which all stacks with its URL share: how little an engine has to say.
package final class TableEngine: StoreEngine {
    package static let storeType = "Table"
    let link: ObjectLink
    let table: Table

    package init(at place: StoreLocation, link: ObjectLink) {
        self.link = link
        isReadOnly = place.options?.isSet(NSReadOnlyPersistentStoreOption) ?? false
        table = Table.at(place.url)
    }

    package let isReadOnly: Bool

    package func open() throws -> [String: Any]? { table.contents.withLock { $0.metadata } }

    package func prepare(for model: ModelLayout, fits: Bool) throws -> [String: Any]? {
        table.contents.withLock { contents in
            guard contents.metadata == nil else { return nil }
            contents.metadata = [
                NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString,
                NSStoreModelVersionHashesKey: model.model.entityVersionHashesByName,
            ]
            return contents.metadata
        }
    }

    package func close() throws {}

    // MARK: Stores that nobody has opened

    package static func metadata(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        guard let metadata = Table.at(url).contents.withLock({ $0.metadata }) else {
            throw CoreDataError.make(NSPersistentStoreOpenError, "There is no table at \(url).")
        }
        return metadata
    }

    package static func setMetadata(_ metadata: [String: Any], ofStoreAt url: URL, options: [AnyHashable: Any]?) throws
    {
        let complete = StoreMetadata.completed(metadata, as: try self.metadata(ofStoreAt: url, options: options))
        Table.at(url).contents.withLock { [complete = UncheckedMetadata(complete)] in $0.metadata = complete.value }
    }

    package static func destroy(storeAt url: URL, options: [AnyHashable: Any]?) throws {
        Table.at(url).contents.withLock { $0 = Table.Contents() }
    }

    // MARK: Saving

    package func reserveKeys(for entities: [EntityLayout]) throws -> [ObjectKey] {
        table.contents.withLock { contents in
            entities.map { entity in
                contents.lastHandle += 1
                return ObjectKey(handle: contents.lastHandle, entityIndex: entity.index)
            }
        }
    }

    package func save(_ save: StoreSave) throws -> SaveOutcome {
        try table.writing.withLock {
            let changes = try save.changes(reserveKeys(for: save.newEntities))
            var rows = table.contents.withLock { $0.rows }
            let conflicts =
                (changes.updated + changes.deleted + changes.locked).compactMap { change -> RowConflict? in
                    guard let row = rows[change.key.handle] else { return .deleted(change.key) }
                    return row.version == change.version ? nil : .changed(change.key, version: row.version)
                }
            guard conflicts.isEmpty else { throw RowConflicts(conflicts: conflicts) }
            for change in changes.deleted { rows[change.key.handle] = nil }
            for change in changes.inserted { rows[change.key.handle] = TableRow(inserting: change) }
            for change in changes.updated { rows[change.key.handle]?.update(change) }
            try save.beforeCommit()
            let saved = UncheckedMetadata(save.metadata)
            table.contents.withLock {
                $0.rows = rows
                if let metadata = saved.value { $0.metadata = metadata }
            }
            return SaveOutcome()
        }
    }

    // MARK: Reading

    private func records(_ fetch: StoreFetch, in view: ReadView) -> [TableRecord] {
        let last = fetch.includesSubentities ? fetch.entity.lastDescendantIndex : fetch.entity.index
        let view = TableView(self, view.model)
        return view.rows.values.filter { (fetch.entity.index...last).contains(Int($0.key.entityIndex)) }
            .sorted { $0.key.handle < $1.key.handle }.map { view.record(of: $0) }
    }

    package func fetchRows(_ fetch: StoreFetch, in view: ReadView) throws -> [RowPage] {
        pages(try InMemoryQuery(fetch).select(records(fetch, in: view)).map(\.row), fetch.entity)
    }

    package func fetchKeys(_ fetch: StoreFetch, in view: ReadView) throws -> [ObjectKey] {
        try InMemoryQuery(fetch).select(records(fetch, in: view)).map(\.row.key)
    }

    package func count(_ fetch: StoreFetch, in view: ReadView) throws -> Int {
        fetch.countsDictionaries ? try fetchDictionaries(fetch, in: view).count : try fetchKeys(fetch, in: view).count
    }

    package func fetchDictionaries(_ fetch: StoreFetch, in view: ReadView) throws -> [[String: Any]] {
        try InMemoryDictionaryQuery(fetch).dictionaries(records(fetch, in: view))
    }

    package func loadRows(_ keys: [ObjectKey], in view: ReadView) throws -> [RowPage] {
        let rows = table.contents.withLock { $0.rows }
        let byRoot = Dictionary(grouping: keys.compactMap { rows[$0.handle] }) {
            view.model.entities[Int($0.key.entityIndex)].rootIndex
        }
        return byRoot.flatMap { pages($0.value, view.model.entities[$0.key]) }
    }

    package func loadDestinations(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> [Int64: [ObjectKey]]
    {
        let view = TableView(self, view.model)
        return Dictionary(
            owners.map { ($0.handle, view.destinations(of: property, from: $0)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// As many pages as the rows need, in their order.
    private func pages(_ rows: [TableRow], _ entity: EntityLayout) -> [RowPage] {
        stride(from: 0, to: rows.count, by: RowPage.defaultCapacity).map { start in
            let part = rows[start..<min(start + RowPage.defaultCapacity, rows.count)]
            let page = RowPage(model: entity.model, slotCount: entity.widestSlotCount, capacity: part.count)
            for row in part {
                page.appendRow(handle: row.key.handle, entityIndex: Int(row.key.entityIndex), version: row.version)
                for leaf in page.layout(page.count - 1).storedLeaves {
                    page.setValue(row.values[leaf.rowSlot], of: leaf)
                }
            }
            return page
        }
    }
}
