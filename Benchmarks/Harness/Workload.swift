import Foundation

/// What is timed: the work over a store that is already open. The result says what was done, so that the sides can be
/// compared; all sides have to come to the same number.
typealias Work = () throws -> Int64

/// One line of the table: the same work, done by each side over its own copy of a store.
protocol Workload: Sendable {
    /// The name on the command line.
    var name: String { get }
    /// What `measure` has to be told to do this work.
    var arguments: [String] { get }
    /// What the table calls it.
    var title: String { get }
    /// Who can do the work. All, unless it is work that only this package does.
    var sides: [Side] { get }
    /// The store that the work begins with.
    var template: StoreTemplate { get }
    /// A query whose number has to be the same on each side when the work is done; nil for work that only reads.
    var outcome: String? { get }

    func plain(_ store: URL) throws -> Work
    /// By GRDB's Codable records.
    func records(_ store: URL) throws -> Work
    /// By GRDB's records with code of their own.
    func fastRecords(_ store: URL) throws -> Work
    func coreData(_ store: URL) throws -> Work
}

extension Workload {
    var sides: [Side] { Side.allCases }

    var arguments: [String] { [name] }

    var changesStore: Bool { outcome != nil }

    /// The same as by Codable records, for work that makes no record.
    func fastRecords(_ store: URL) throws -> Work { try records(store) }

    func open(_ store: URL, by side: Side) throws -> Work {
        switch side {
        case .plain: try plain(store)
        case .records: try records(store)
        case .fastRecords: try fastRecords(store)
        case .coreData: try coreData(store)
        }
    }
}

/// All lines of the table, in order.
enum Workloads {
    static let all: [any Workload] = [
        InsertCounters(access: .keyValueCoding),
        InsertCounters(access: .accessors),
        FetchCounters(reading: .accessors),
        FetchCounters(reading: .keyValueCoding),
        FetchCounters(reading: .nothing),
        FetchKeys(),
        CountCounters(),
        FetchGroups(),
        TraverseShelves(),
        ChangeCounters(change: .update),
        ChangeCounters(change: .delete),
        OpenEntities(),
        FetchMillion(),
        InsertUsers(count: 10_000),
        InsertUsers(count: 100_000),
        BatchInsertCounters(form: .objects),
        BatchInsertCounters(form: .dictionaries),
        BatchChangeCounters(change: .update),
        BatchChangeCounters(change: .delete),
        MigrateCounters(place: .end),
        MigrateCounters(place: .middle),
        MapCounters(),
        MergeSave(),
        ControlSections(),
        UndoChanges(events: .one),
        UndoChanges(events: .many),
        ReadBesideWriter(readers: 1),
        ReadBesideWriter(readers: 16),
        ReadLargestModel(form: .compiled),
        ReadLargestModel(form: .source),
    ]

    static func named(_ name: String) throws -> any Workload {
        guard let workload = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("there is no workload \"\(name)\"; --list shows the names")
        }
        return workload
    }
}
