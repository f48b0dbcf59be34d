import CoreData
import Foundation
import Testing

/// Random programs over two contexts of one coordinator and a child of the first, each with unsaved changes of its own while
/// the others save: what is saved is merged or refreshed under them.
@Suite("Unsaved changes are laid over what others save, over every store type")
struct MergedProgramTests {
    static let seeds = ProgramSeeds.seeds(from: 9000, usually: 100)

    @Test(
        "Both sides of every relationship agree, as plain dictionaries say, and what is saved is what was shown",
        arguments: seeds)
    func program(seed: UInt64) throws {
        let family = try ShelfFamily(seed: seed, storeType: Library.storeTypes[Int(seed % 4)])
        try NSManagedObjectContext.performAndWait(in: family.contexts) { try run(family, seed) }
    }

    private func run(_ family: ShelfFamily, _ seed: UInt64) throws {
        for turn in 0..<10 {
            let differences = try family.turn()
            try #require(
                differences == [],
                "seed \(seed), \(family.storeType), turn \(turn): \(differences) after \(family.actions.suffix(60))")
        }
        let differences = try family.end()
        #expect(
            differences == [],
            "seed \(seed), \(family.storeType), at the end: \(differences) after \(family.actions.suffix(60))")
    }
}

private final class ShelfFamily {
    let storeType: String
    private let stack: TemporaryStack
    private let source: ProgramSource
    private let first: ShelfProgram
    private let second: ShelfProgram
    private let child: ShelfProgram
    private(set) var actions: [String] = []

    /// The first context and its child, in whose blocks the program runs.
    var contexts: [NSManagedObjectContext] { [first.context, child.context] }

    init(seed: UInt64, storeType: String) throws {
        self.storeType = storeType
        stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        source = ProgramSource(seed: seed)
        let (root, other) = (stack.queueContext(), stack.context())
        let childContext = NSManagedObjectContext(.privateQueue)
        childContext.parent = root
        first = ShelfProgram("first", root, source)
        second = ShelfProgram("second", other, source)
        child = ShelfProgram("child", childContext, source)
        savesOfFirst = SaveLog(root)
        savesOfSecond = SaveLog(other)
    }

    private let savesOfFirst: SaveLog
    private let savesOfSecond: SaveLog

    func turn() throws -> [String] {
        switch Int.random(in: 0..<4, using: &source.generator) {
        case 0: try childTurn()
        case 1, 2: try turn(of: first, other: second, savesOfFirst)
        default: try turn(of: second, other: first, savesOfSecond)
        }
    }

    /// Some steps, perhaps a save; the other context has its own changes, and takes the save over.
    private func turn(of program: ShelfProgram, other: ShelfProgram, _ saves: SaveLog) throws -> [String] {
        var differences = steps(of: program)
        guard differences.isEmpty else { return differences }
        switch Int.random(in: 0..<8, using: &source.generator) {
        case 0:
            program.rollBack()
            actions.append("\(program.name) rolls back")
            return program.differences()
        case 1, 2: return []
        default: break
        }
        try program.context.save()
        program.didSave()
        actions.append("\(program.name) saves")
        differences = program.differences()
        guard differences.isEmpty else { return differences.map { "after saving: \($0)" } }
        for notification in saves.take() { other.context.mergeChanges(fromContextDidSave: notification) }
        let open = other.rebase(to: program)
        actions.append("\(other.name) merges")
        return other.differences(open: open).map { "after merging: \($0)" }
    }

    /// The child lays its changes over what its parent has by now, goes on, and perhaps saves into it.
    private func childTurn() throws -> [String] {
        if child.misses(in: first) {
            child.startAnew(from: first)
            actions.append("child starts anew")
            let differences = child.differences()
            guard differences.isEmpty else { return differences.map { "anew: \($0)" } }
        } else {
            child.context.refreshAllObjects()
            let open = child.rebase(to: first, isSaved: false)
            actions.append("child refreshes")
            let differences = child.differences(open: open)
            guard differences.isEmpty else { return differences.map { "after refreshing: \($0)" } }
        }
        let differences = steps(of: child)
        guard differences.isEmpty else { return differences }
        if Int.random(in: 0..<2, using: &source.generator) == 0 { return [] }
        try child.context.save()
        child.didSave()
        first.takeOver(child)
        actions.append("child saves")
        return child.differences() + first.differences()
    }

    /// Everything is saved, and the file holds it.
    func end() throws -> [String] {
        for (program, other, saves) in [(first, second, savesOfFirst), (second, first, savesOfSecond)] {
            try program.context.save()
            program.didSave()
            for notification in saves.take() { other.context.mergeChanges(fromContextDidSave: notification) }
            let open = other.rebase(to: program)
            let differences = program.differences() + other.differences(open: open)
            if !differences.isEmpty { return differences }
        }
        return try second.differences(in: stack.reopened())
    }

    private func steps(of program: ShelfProgram) -> [String] {
        for _ in 0..<Int.random(in: 1...6, using: &source.generator) {
            actions.append("\(program.name): \(program.step())")
            let differences = program.differences()
            if !differences.isEmpty { return differences }
        }
        return []
    }
}
