import CoreData
import Foundation

/// A writer: saves without end into a store that may be out of reach at any moment, and notes each save before and after it.
package final class ServerWorker {
    private typealias Effects = WorkRecord.Effects

    private let name: String
    private let generation: Int
    private let context: NSManagedObjectContext
    private let log: WorkLog
    private var lastNumber = 0
    private var lastName = 0

    /// - Parameters:
    ///   - name: which writer this is; it goes on with the objects that a writer of this name has made.
    ///   - generation: how many writers of this name there were before.
    package init(
        _ name: String, generation: Int, context: NSManagedObjectContext, log: WorkLog
    ) {
        self.name = name
        self.generation = generation
        self.context = context
        self.log = log
    }

    /// Makes what all writers share. For one writer, before all others.
    package static func prepare(_ context: NSManagedObjectContext) throws {
        for name in WorkRecord.sharedTeams {
            let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
            team.setValue(name, forKey: "name")
            team.setValue(WorkRecord.everybody, forKey: "owner")
        }
        context.transactionAuthor = "setup"
        try context.save()
    }

    /// Works until then.
    package func run(until end: Date) throws {
        while Date() < end {
            let goesOn = try context.performAndWait { try step() }
            // The server is away for a while: other programs would wait a little too.
            usleep(goesOn ? .random(in: 0...8000) : .random(in: 20_000...100_000))
        }
    }

    /// - Returns: whether the store could be used.
    private func step() throws -> Bool {
        lastNumber += 1
        let token = "\(name)-\(generation)-\(lastNumber)"
        let effects: Effects
        do {
            effects = try change()
        } catch {
            // Nothing was to be saved yet.
            context.reset()
            return false
        }
        NSEntityDescription.insertNewObject(forEntityName: "Receipt", into: context).setValue(token, forKey: "token")
        context.transactionAuthor = token
        try log.append(.begun(token: token, effects))
        do {
            try context.save()
            try log.append(.ended(token: token, .saved))
            return true
        } catch let error as NSError {
            context.reset()
            let failure = WorkRecord.Failure(error)
            // "Transaction resolution unknown", as SQL calls it.
            try log.append(.ended(token: token, failure.state == "08007" ? .unknown(failure) : .failed(failure)))
            return [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains(error.code)
        }
    }

    // MARK: Changes

    private func change() throws -> Effects {
        let teams = try fetch("Team", "owner", name)
        switch Int.random(in: 0..<100) {
        case ..<8: return try addToShared()
        case ..<16: return claim()
        case ..<40 where !teams.isEmpty: return append(to: teams.randomElement()!)
        case ..<60 where teams.count > 1: return move(teams.shuffled())
        case ..<75 where !teams.isEmpty: return removeMember(of: teams.randomElement()!)
        case ..<85 where teams.count > 3, 85... where teams.count > 6: return remove(teams.randomElement()!)
        default: return try makeTeam()
        }
    }

    private func fetch(_ entity: String, _ key: String, _ value: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "%K == %@", key, value)
        return try context.fetch(request)
    }

    private func freshName(_ word: String) -> String {
        lastName += 1
        return "\(word) \(name)-\(generation)-\(lastName)"
    }

    private func makeMember(_ name: String) -> NSManagedObject {
        let member = NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
        member.setValue(name, forKey: "name")
        return member
    }

    private func members(_ team: NSManagedObject) -> [NSManagedObject] {
        (team.value(forKey: "members") as? NSOrderedSet)?.array.compactMap { $0 as? NSManagedObject } ?? []
    }

    private func text(_ object: NSManagedObject) -> String { object.value(forKey: "name") as? String ?? "" }

    /// Counts the save, and says what the team will be.
    private func finish(_ team: NSManagedObject, _ effects: inout Effects) {
        let saves = (team.value(forKey: "saves") as? Int64 ?? 0) + 1
        team.setValue(saves, forKey: "saves")
        effects.teams[text(team)] = WorkRecord.Team(members: members(team).map(text), saves: saves)
    }

    private func tag(_ members: [NSManagedObject], _ effects: inout Effects) throws {
        let names = ["\(name) red", "\(name) blue"]
        let tags = try names.map { name in
            if let found = try fetch("Tag", "name", name).first { return found }
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue(name, forKey: "name")
            return tag
        }
        for member in members {
            let chosen = tags.filter { _ in Bool.random() }
            member.setValue(Set(chosen), forKey: "tags")
            effects.tags[text(member)] = chosen.map(text).sorted()
        }
    }

    private func makeTeam() throws -> Effects {
        var effects = Effects()
        let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
        team.setValue(freshName("team"), forKey: "name")
        team.setValue(name, forKey: "owner")
        // Many rows go another way than few.
        let count = Int.random(in: 0..<12) == 0 ? 24 : Int.random(in: 1...3)
        let made = (0..<count).map { _ in makeMember(freshName("member")) }
        team.setValue(NSOrderedSet(array: made), forKey: "members")
        try tag(made, &effects)
        finish(team, &effects)
        return effects
    }

    private func append(to team: NSManagedObject) -> Effects {
        var effects = Effects()
        let member = makeMember(freshName("member"))
        effects.tags[text(member)] = []
        var all = members(team)
        all.insert(member, at: Int.random(in: 0...all.count))
        team.setValue(NSOrderedSet(array: all), forKey: "members")
        finish(team, &effects)
        return effects
    }

    private func move(_ teams: [NSManagedObject]) -> Effects {
        var effects = Effects()
        let (from, to) = (teams[0], teams[1])
        if let member = members(from).randomElement() {
            var all = members(to)
            all.insert(member, at: Int.random(in: 0...all.count))
            to.setValue(NSOrderedSet(array: all), forKey: "members")
        }
        finish(from, &effects)
        finish(to, &effects)
        return effects
    }

    private func removeMember(of team: NSManagedObject) -> Effects {
        var effects = Effects()
        if let member = members(team).randomElement() {
            effects.deletedMembers = [text(member)]
            team.setValue(NSOrderedSet(array: members(team).filter { $0 !== member }), forKey: "members")
            context.delete(member)
        }
        finish(team, &effects)
        return effects
    }

    private func remove(_ team: NSManagedObject) -> Effects {
        var effects = Effects()
        effects.deletedTeams = [text(team)]
        effects.deletedMembers = members(team).map(text)
        context.delete(team)
        return effects
    }

    /// Adds to a team that others add to as well.
    private func addToShared() throws -> Effects {
        var effects = Effects()
        let name = WorkRecord.sharedTeams.randomElement()!
        guard let team = try fetch("Team", "name", name).first else { throw CocoaError(.validationMultipleErrors) }
        let member = makeMember(freshName("member"))
        member.setValue(team, forKey: "team")
        effects.shared[text(member)] = name
        effects.tags[text(member)] = []
        return effects
    }

    /// Takes a name that others want at the same time.
    private func claim() -> Effects {
        var effects = Effects()
        let name = "\(WorkRecord.claimPrefix)\(Int(Date().timeIntervalSince1970))-\(Int.random(in: 0..<4))"
        _ = makeMember(name)
        effects.claims = [name]
        return effects
    }
}
