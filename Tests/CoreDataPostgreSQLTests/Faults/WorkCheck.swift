import CoreData
import Foundation
import ServerWork
import Testing

/// Compares what writers have noted with what a store has.
final class WorkCheck {
    private struct Save {
        let effects: WorkRecord.Effects
        /// Nil where the writer was killed before it knew.
        var outcome: WorkRecord.Outcome?
    }

    /// The saves of each writer, in their order.
    private var writers: [[(token: String, save: Save)]] = []
    /// What those saves make that are in the store.
    private var teams: [String: WorkRecord.Team] = [:]
    private var tags: [String: [String]] = [:]
    private var shared: [String: Set<String>] = [:]
    private var claims: Set<String> = []
    private var committed: Set<String> = []
    /// How many saves ended how.
    private(set) var counts: [String: Int] = [:]
    private var failures: [String: Int] = [:]

    init(_ folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files.filter({ $0.pathExtension == "log" }) {
            var saves: [(token: String, save: Save)] = []
            for record in try WorkLog.read(file) {
                switch record {
                case .begun(let token, let effects): saves.append((token, Save(effects: effects)))
                case .ended(let token, let outcome):
                    if saves.last?.token == token { saves[saves.count - 1].save.outcome = outcome }
                }
            }
            writers.append(saves)
        }
    }

    /// How often something happened, by what is written in ``settle()``.
    subscript(_ what: String) -> Int { counts[what] ?? 0 }

    var summary: String {
        let counted = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let said = failures.sorted { $0.value > $1.value }.prefix(12).map { "\n  \($0.value) × \($0.key)" }
        return counted + said.joined()
    }

    // MARK: What there should be

    /// Looks which saves are in the store, and whether that is what they said.
    private func settle() {
        for (token, save) in writers.joined() {
            let isThere = committed.contains(token)
            switch save.outcome {
            case .saved:
                counts["saved", default: 0] += 1
                #expect(isThere, "\(token) was saved, and is lost")
            case .failed(let failure):
                counts["failed", default: 0] += 1
                note(failure)
                #expect(!isThere, "\(token) is there, though its save failed: \(failure)")
            case .unknown(let failure):
                counts["unknown, \(isThere ? "saved" : "not saved")", default: 0] += 1
                note(failure)
            case nil: counts["killed, \(isThere ? "saved" : "not saved")", default: 0] += 1
            }
            if isThere { apply(save.effects, token) }
        }
    }

    /// Counts an error, without what is different each time: the number of a socket, the objects of a conflict.
    private func note(_ failure: WorkRecord.Failure) {
        let line = failure.text.prefix { $0 != "\n" }
        let text = (line.firstRange(of: "schema public: ").map { line[$0.upperBound...] } ?? line).prefix(120)
        failures["\(failure.code) [\(failure.state)] \(text)", default: 0] += 1
    }

    private func apply(_ effects: WorkRecord.Effects, _ token: String) {
        for name in effects.deletedTeams { teams[name] = nil }
        for name in effects.deletedMembers { tags[name] = nil }
        teams.merge(effects.teams) { $1 }
        tags.merge(effects.tags) { $1 }
        for (member, team) in effects.shared { shared[team, default: []].insert(member) }
        for name in effects.claims {
            #expect(claims.insert(name).inserted, "\(name) was taken twice, the second time by \(token)")
        }
    }

    // MARK: What there is

    private func text(_ object: NSManagedObject, _ key: String = "name") -> String {
        object.value(forKey: key) as? String ?? "nil"
    }

    private func all(_ entity: String, _ context: NSManagedObjectContext, with paths: [String] = []) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.relationshipKeyPathsForPrefetching = paths
        return try context.fetch(request)
    }

    func compare(_ context: NSManagedObjectContext) throws {
        let receipts = try all("Receipt", context).map { text($0, "token") }
        committed = Set(receipts)
        #expect(receipts.count == committed.count, "a save was done twice")
        let noted = Set(writers.joined().map(\.token))
        #expect(committed.subtracting(noted).isEmpty, "nobody noted these saves")
        settle()
        let members = try all("Member", context, with: ["team", "tags"])
        compareTeams(try all("Team", context, with: ["members"]), members)
        let names = members.map { text($0) }
        #expect(Set(names).count == names.count, "a unique name is there twice")
        expectSame(Set(names), Set(tags.keys).union(claims), "members")
        for member in members {
            let found = member.value(forKey: "tags") as? Set<NSManagedObject> ?? []
            let name = text(member)
            if !claims.contains(name) { #expect(found.map { text($0) }.sorted() == tags[name], "tags of \(name)") }
        }
        for tag in try all("Tag", context, with: ["members"]) {
            for member in tag.value(forKey: "members") as? Set<NSManagedObject> ?? [] {
                let others = member.value(forKey: "tags") as? Set<NSManagedObject> ?? []
                #expect(others.contains(tag), "the sides of \(text(tag)) and \(text(member)) disagree")
            }
        }
    }

    private func compareTeams(_ found: [NSManagedObject], _ members: [NSManagedObject]) {
        var own: [String: WorkRecord.Team] = [:]
        var ordered: [ObjectIdentifier: NSManagedObject] = [:]
        for team in found {
            let inside = (team.value(forKey: "members") as? NSOrderedSet)?.array.compactMap { $0 as? NSManagedObject }
            for member in inside ?? [] {
                #expect(ordered.updateValue(team, forKey: ObjectIdentifier(member)) == nil, "a member of two teams")
            }
            let names = (inside ?? []).map { text($0) }
            if text(team, "owner") == WorkRecord.everybody {
                #expect(Set(names).count == names.count)
                expectSame(Set(names), shared[text(team)] ?? [], text(team))
            } else {
                own[text(team)] = WorkRecord.Team(members: names, saves: team.value(forKey: "saves") as? Int64 ?? -1)
            }
        }
        for member in members {
            let team = member.value(forKey: "team") as? NSManagedObject
            #expect(team === ordered[ObjectIdentifier(member)], "the sides of \(text(member)) and its team disagree")
            #expect((team == nil) == claims.contains(text(member)), "\(text(member)) has a team, or none")
        }
        expectSame(Set(own.keys), Set(teams.keys), "teams")
        for (name, team) in own { #expect(team == teams[name], "\(name)") }
    }

    private func expectSame(_ found: Set<String>, _ expected: Set<String>, _ what: String) {
        let (lost, extra) = (expected.subtracting(found), found.subtracting(expected))
        #expect(lost.isEmpty, "\(what): \(lost.count) are lost")
        #expect(extra.isEmpty, "\(what): \(extra.count) shouldn't be there")
    }

    /// Each save is one transaction of history, and no number is missing. By SQL, as another program reads it.
    func compareHistory(_ server: FaultServer) throws {
        let numbers = try server.execute(
            """
            SELECT CAST(COUNT(*) AS text), CAST(MIN(number) AS text), CAST(MAX(number) AS text), \
            (SELECT CAST(last_transaction AS text) FROM _history) FROM _transactions
            """)
        // With the one that made what all share, and the one after the faults.
        let count = "\(committed.count + 2)"
        #expect(numbers == [[count, "1", count, count]], "transactions: count, first, last, and the store's last")
        let changes = try server.execute(
            """
            SELECT CAST(COUNT(*) AS text), CAST(MAX(number) AS text), (SELECT CAST(last_change AS text) FROM _history), \
            CAST(COUNT(*) FILTER (WHERE transaction NOT IN (SELECT number FROM _transactions)) AS text) FROM _changes
            """)
        let total = changes[0][0]
        #expect(
            changes == [[total, total, total, "0"]], "changes: count, last, the store's last, and those of nothing")
        // The insertion of each receipt stands in the transaction whose author is the save.
        let receipts = try server.execute(
            """
            SELECT COALESCE(t.author, 'none'), r.token FROM _transactions t \
            JOIN _changes c ON c.transaction = t.number AND c.type = 0 \
            JOIN _entities e ON e.number = c.entity AND e.name = 'Receipt' \
            JOIN "Receipt" r ON r._id = c.object WHERE r.token <> 'end'
            """)
        #expect(receipts.count == committed.count && receipts.allSatisfy { $0[0] == $0[1] })
        #expect(Set(receipts.map { $0[1] }) == committed)
        let orders = try server.execute(
            """
            SELECT team::text FROM "Member" WHERE team IS NOT NULL GROUP BY team \
            HAVING COUNT(*) <> COUNT(DISTINCT "team.order")
            """)
        #expect(orders == [], "two members of a team have the same place")
    }
}
