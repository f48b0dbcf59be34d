import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate
@_exported import class FoundationCompat.NSSortDescriptor

/// What one store answers to a history request.
enum HistoryAnswer {
    /// Transactions, with the changes that were asked for.
    case read([NSPersistentHistoryTransaction])
    /// How many changes were deleted.
    case deleted(changes: Int)
}

extension NSPersistentHistoryChangeRequest: ExecutableRequest {
    func result(from coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext?) throws
        -> NSPersistentStoreResult
    {
        let filter = try HistoryFilter(fetchRequest)
        let wanted = coordinator.persistentStores.filter { store in
            affectedStores.map { $0.contains { $0 === store } } ?? store.accepts(self)
        }
        guard !wanted.isEmpty else {
            throw CoreDataError.unsupportedRequest("No store of the coordinator keeps persistent history.")
        }
        if isDeletion, let readOnly = wanted.first(where: \.isReadOnly) { throw CoreDataError.readOnly(readOnly) }
        try HistoryExecution.checkStores(of: self, among: wanted)
        let answers = try coordinator.answers(to: self, from: wanted, for: context)
        let outcome: Any = isDeletion ? try HistoryExecution.deleted(answers, self) : try read(answers, filter)
        return NSPersistentHistoryResult(outcome, resultType)
    }

    private func read(_ answers: [Any], _ filter: HistoryFilter) throws -> Any {
        let read = try HistoryExecution.transactions(in: answers)
        switch resultType {
        case .statusOnly: return NSNumber(value: true)
        case .transactionsOnly:
            return try filter.transactions(read).map { NSPersistentHistoryTransaction($0.header) }
        case .transactionsAndChanges: return try filter.transactions(read)
        case .changesOnly: return try filter.changes(read)
        case .count: return NSNumber(value: try filter.changes(read).count)
        case .objectIDs: return try filter.changes(read).map(\.changedObjectID).uniqued()
        }
    }
}

enum HistoryExecution {
    /// - Throws: `NSPersistentHistoryTokenExpiredError` where the token is of other stores than those that are asked.
    static func checkStores(of request: NSPersistentHistoryChangeRequest, among stores: [NSPersistentStore]) throws {
        guard let token = request.token, !token.transactionNumbers.isEmpty else { return }
        let identifiers = Set(stores.compactMap(\.identifier))
        guard identifiers.isDisjoint(with: token.transactionNumbers.keys) else { return }
        throw CoreDataError.make(
            NSPersistentHistoryTokenExpiredError,
            "The history token \(token) is of none of the stores \(identifiers.sorted().joined(separator: ", ")). "
                + "Read the history from its beginning.")
    }

    /// The transactions of all stores, oldest first.
    static func transactions(in answers: [Any]) throws -> [NSPersistentHistoryTransaction] {
        var all: [NSPersistentHistoryTransaction] = []
        for answer in answers {
            switch answer {
            case HistoryAnswer.read(let transactions): all += transactions
            case let transactions as [NSPersistentHistoryTransaction]: all += transactions
            default: throw unexpected(answer)
            }
        }
        guard answers.count > 1 else { return all }
        return all.enumerated().sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }
            .map(\.element)
    }

    static func deleted(_ answers: [Any], _ request: NSPersistentHistoryChangeRequest) throws -> Any {
        let count = try answers.reduce(0) { sum, answer in
            switch answer {
            case HistoryAnswer.deleted(let changes): return sum + changes
            case let number as NSNumber: return sum + number.intValue
            default: throw unexpected(answer)
            }
        }
        switch request.resultType {
        case .count: return NSNumber(value: count)
        default: return NSNumber(value: true)
        }
    }

    private static func unexpected(_ answer: Any) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "A store answered a request for history with a \(type(of: answer)).")
    }
}

/// The fetch request of a history request: which transactions, or which changes.
struct HistoryFilter {
    private let request: AnyFetchRequest?
    private let selectsChanges: Bool

    /// - Throws: an error for a request for another entity than the two of history.
    init(_ request: AnyFetchRequest?) throws {
        self.request = request
        switch request?.entityName {
        case nil, HistoryModel.shared.transaction.name: selectsChanges = false
        case HistoryModel.shared.change.name: selectsChanges = true
        case let name?:
            throw CoreDataError.unsupportedRequest(
                "Persistent history can't be fetched with a request for '\(name)': use the fetchRequest of "
                    + "NSPersistentHistoryTransaction or NSPersistentHistoryChange.")
        }
    }

    /// The selected transactions; where changes are selected, those that have any, with these only.
    func transactions(_ all: [NSPersistentHistoryTransaction]) throws -> [NSPersistentHistoryTransaction] {
        guard let request else { return all }
        guard selectsChanges else { return try select(all, request) }
        let chosen = Set(try changes(all))
        return all.compactMap { transaction in
            let changes = transaction.changes?.filter(chosen.contains) ?? []
            return changes.isEmpty ? nil : NSPersistentHistoryTransaction(transaction.header, changes: changes)
        }
    }

    /// The changes of the selected transactions, or the selected changes.
    func changes(_ all: [NSPersistentHistoryTransaction]) throws -> [NSPersistentHistoryChange] {
        guard let request, selectsChanges else { return try transactions(all).flatMap { $0.changes ?? [] } }
        return try select(all.flatMap { $0.changes ?? [] }, request)
    }

    private func select<Record: KeyValueCoding>(_ records: [Record], _ request: AnyFetchRequest) throws -> [Record] {
        var selected = records
        if let predicate = request.predicate {
            selected = try selected.filter { try predicate.checkedEvaluate(with: $0) }
        }
        if let descriptors = request.sortDescriptors, !descriptors.isEmpty {
            for key in descriptors.compactMap(\.key) {
                guard let first = key.split(separator: ".").first.map(String.init),
                    selected.first?.definesKVCValue(forKey: first) ?? true
                else {
                    throw CoreDataError.unsupportedRequest("Persistent history can't be sorted by '\(key)'.")
                }
            }
            selected = selected.sorted(using: descriptors)
        }
        return selected.page(offset: request.fetchOffset, limit: request.fetchLimit)
    }
}

extension NSPersistentStoreCoordinator {
    func historyToken(of stores: [Any]?) -> NSPersistentHistoryToken? {
        let named = stores?.compactMap { $0 as? NSPersistentStore } ?? []
        var numbers: [String: Int64] = [:]
        for store in named.isEmpty ? persistentStores : named {
            // A store that can't tell keeps its place in no token, and its history is read from the beginning.
            guard let identifier = store.identifier, let number = try? store.lastTransactionNumber() else { continue }
            numbers[identifier] = number
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }
}
