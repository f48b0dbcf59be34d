import CoreData
import Foundation
import Testing

@Suite("Batch inserts with constraints, by every merge policy and from every source")
struct BatchInsertPropertyTests {
    /// What a row holds, as a program would write it down.
    private struct Item: Equatable {
        var entity: String
        var code: String?
        var serial: Int?
        var lot: Int?
        var name: String?
        var count = 5
        var extra: String?

        /// The stored items that share a value with this one which has to be unique.
        func rivals(in items: [Item]) -> [Int] {
            items.indices.filter { index in
                let other = items[index]
                let sameCode = code != nil && code == other.code
                let sameSerial = serial != nil && lot != nil && serial == other.serial && lot == other.lot
                return sameCode || sameSerial
            }
        }
    }

    private enum Source: CaseIterable {
        case dictionaries, dictionaryHandler, objectHandler
    }

    private static func model() -> NSManagedObjectModel {
        typealias Parts = ModelParts
        let item = Parts.entity("Item")
        let special = Parts.entity("Special")
        item.subentities = [special]
        let count = Parts.attribute("count", .integer32AttributeType)
        count.defaultValue = 5
        item.properties = [
            Parts.attribute("code", .stringAttributeType), Parts.attribute("serial", .integer32AttributeType),
            Parts.attribute("lot", .integer32AttributeType), Parts.attribute("name", .stringAttributeType), count,
        ]
        special.properties = [Parts.attribute("extra", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [item, special]
        item.uniquenessConstraints = [["code"], ["serial", "lot"]]
        return model
    }

    private static let policies: [NSMergePolicy] = [
        .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    @Test("Rows, results and history are what the policy makes of them", arguments: UInt64(1)...4)
    func random(seed: UInt64) throws {
        for policy in Self.policies {
            for source in Source.allCases {
                try run(policy, source, seed)
            }
        }
    }

    private func run(_ policy: NSMergePolicy, _ source: Source, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try TrackedStack(model: Self.model())
        stack.context.mergePolicy = policy
        var stored: [Item] = []
        var failures = 0
        for round in 0..<8 {
            let place: Comment = "seed \(seed), \(policy.mergeType), \(source), round \(round)"
            let entity = Bool.random(using: &random) ? "Item" : "Special"
            let rows = (0..<6).map { _ in row(entity, &random) }
            let wanted = NSBatchInsertRequestResultType(rawValue: UInt(round % 3))!
            let request = request(entity, rows, source)
            request.resultType = wanted
            let transactions = try stack.history().count
            let outcome = apply(rows, entity, policy, source, to: stored)
            do {
                let result = try stack.execute(request)
                let (items, changes) = try #require(outcome, place)
                stored = items
                switch wanted {
                case .statusOnly: #expect(result as? Bool == true, place)
                case .count: #expect(result as? Int == changes.count, place)
                default: #expect((result as? [NSManagedObjectID])?.count == changes.count, place)
                }
                let history = try stack.history()
                #expect(
                    history.dropFirst(transactions).flatMap { $0.changes ?? [] }.map(\.changeType) == changes, place)
            } catch let error as NSError {
                failures += 1
                #expect(outcome == nil, "\(place): \(error.localizedDescription)")
                #expect(error.code == NSManagedObjectConstraintMergeError, place)
                #expect(try stack.history().count == transactions, place)
            }
            let found = try stack.rows("SELECT ZCODE, ZSERIAL, ZLOT, ZNAME, ZCOUNT, ZEXTRA FROM ZITEM ORDER BY Z_PK")
            let expected = stored.map { item in
                [
                    item.code, item.serial.map { "\($0)" }, item.lot.map { "\($0)" }, item.name, "\(item.count)",
                    item.extra,
                ]
            }
            #expect(found == expected, place)
            #expect(
                try stack.rows(
                    "SELECT IFNULL(MAX(Z_PK), 0) <= (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1) FROM ZITEM")
                    == [["1"]], place)
        }
        #expect(!stored.isEmpty || failures > 0)
    }

    private func row(_ entity: String, _ random: inout SeededGenerator) -> [String: Any] {
        var row: [String: Any] = [:]
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        if chance(60) { row["code"] = ["a", "b", "c", "d", "e", "f", "g", "h"].randomElement(using: &random)! }
        if chance(60) { row["serial"] = Int.random(in: 0..<4, using: &random) }
        if chance(60) { row["lot"] = Int.random(in: 0..<4, using: &random) }
        if chance(50) { row["name"] = chance(20) ? NSNull() : "n\(Int.random(in: 0..<100, using: &random))" }
        if chance(30) { row["count"] = Int.random(in: 0..<100, using: &random) }
        if entity == "Special", chance(50) { row["extra"] = "x\(Int.random(in: 0..<100, using: &random))" }
        return row
    }

    private func request(_ entity: String, _ rows: [[String: Any]], _ source: Source) -> NSBatchInsertRequest {
        var rest = rows[...]
        switch source {
        case .dictionaries: return NSBatchInsertRequest(entityName: entity, objects: rows)
        case .dictionaryHandler:
            return NSBatchInsertRequest(entityName: entity) { (dictionary: NSMutableDictionary) in
                guard let row = rest.popFirst() else { return true }
                for (key, value) in row { dictionary[key] = value }
                return false
            }
        case .objectHandler:
            return NSBatchInsertRequest(entityName: entity) { (object: NSManagedObject) in
                guard let row = rest.popFirst() else { return true }
                for (key, value) in row { object.setValue(value is NSNull ? nil : value, forKey: key) }
                return false
            }
        }
    }

    /// What should be stored then, and the kinds of changes; nil where the request has to fail.
    private func apply(
        _ rows: [[String: Any]], _ entity: String, _ policy: NSMergePolicy, _ source: Source, to stored: [Item]
    ) -> ([Item], [NSPersistentHistoryChangeType])? {
        var items = stored
        var changes: [NSPersistentHistoryChangeType] = []
        for row in rows {
            let item = Item(
                entity: entity, code: row["code"] as? String, serial: row["serial"] as? Int, lot: row["lot"] as? Int,
                name: row["name"] as? String, count: row["count"] as? Int ?? 5, extra: row["extra"] as? String)
            let rivals = item.rivals(in: items)
            guard let rival = rivals.first else {
                items.append(item)
                changes.append(.insert)
                continue
            }
            switch policy.mergeType {
            case .errorMergePolicyType: return nil
            case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: continue
            default: break
            }
            // One row can't become two, nor one of another entity.
            guard rivals.count == 1, items[rival].entity == entity else { return nil }
            changes.append(.update)
            if policy.mergeType == .overwriteMergePolicyType {
                items[rival] = item
                continue
            }
            let before = items[rival]
            // An object can't tell a value that was set to nil from one that wasn't set.
            let emptiesName = source != .objectHandler && row["name"] is NSNull
            items[rival] = Item(
                entity: entity, code: item.code ?? before.code, serial: item.serial ?? before.serial,
                lot: item.lot ?? before.lot, name: emptiesName ? nil : item.name ?? before.name, count: item.count,
                extra: item.extra ?? before.extra)
            // What it took on and what it kept may together be what a third row has.
            let others = items.enumerated().filter { $0.offset != rival }.map(\.element)
            if !items[rival].rivals(in: others).isEmpty { return nil }
        }
        return (items, changes)
    }
}
