import CoreData
import Foundation
import Testing

/// Random programs over two contexts of one coordinator and a child of the first.
///
/// One context has its turn at a time and does random steps; then it saves, or rolls back, and the others take that over.
@Suite("Random programs over two contexts and a child agree with plain dictionaries")
struct FamilyProgramTests {
    static let seeds = ProgramSeeds.seeds(from: 5000, usually: 60)

    @Test(
        "Whoever's turn it is: both sides of every relationship agree, and everyone takes over what is saved",
        arguments: seeds)
    func program(seed: UInt64) throws {
        let family = try FamilyProgram(seed: seed)
        try NSManagedObjectContext.performAndWait(in: family.contexts) { try run(family, seed) }
    }

    private func run(_ family: FamilyProgram, _ seed: UInt64) throws {
        for turn in 0..<12 {
            let differences = try family.turn()
            try #require(
                differences == [], "seed \(seed), turn \(turn): \(differences) after \(family.actions.suffix(40))")
        }
        let differences = try family.end()
        #expect(differences == [], "seed \(seed), at the end: \(differences) after \(family.actions.suffix(40))")
    }
}

private final class FamilyProgram {
    private let stack: TemporaryStack
    private let source: ProgramSource
    private let first: GraphProgram
    private let second: GraphProgram
    private let child: GraphProgram
    private(set) var actions: [String] = []

    /// The first context and its child, in whose blocks the program runs.
    var contexts: [NSManagedObjectContext] { [first.context, child.context] }

    init(seed: UInt64) throws {
        stack = try TemporaryStack()
        source = ProgramSource(seed: seed)
        let root = stack.queueContext()
        let childContext = NSManagedObjectContext(.privateQueue)
        childContext.parent = root
        first = GraphProgram(root, source, undoes: true)
        second = GraphProgram(stack.context(), source, undoes: true)
        child = GraphProgram(childContext, source, undoes: true)
        savesOfFirst = SaveLog(first.context)
        savesOfSecond = SaveLog(second.context)
    }

    /// One turn; gives what is wrong after the first step that leaves something wrong.
    func turn() throws -> [String] {
        switch Int.random(in: 0..<4, using: &source.generator) {
        case 0, 1: return try childTurn()
        case 2: return try firstTurn()
        default: return try secondTurn()
        }
    }

    private func firstTurn() throws -> [String] {
        let differences = try steps(of: first, "first")
        return try differences.isEmpty ? settle() : differences
    }

    private func secondTurn() throws -> [String] {
        let differences = try steps(of: second, "second")
        guard differences.isEmpty else { return differences }
        if Bool.random(using: &source.generator) { second.rollBack() }
        try merging(from: second, into: first) { try second.save() }
        first.adopt(second, isSaved: true)
        actions.append("second saves, first merges")
        return try first.differences()
    }

    /// The child saves into its parent, which sometimes goes on to save to the store, and sometimes takes it all back.
    private func childTurn() throws -> [String] {
        // The child's saves are events of the first context, which are no steps of its program.
        let manager = first.context.undoManager
        first.context.undoManager = nil
        defer { first.context.undoManager = manager }
        child.context.refreshAllObjects()
        child.adopt(first, isSaved: true)
        var differences = try child.differences()
        guard differences.isEmpty else { return differences.map { "child at first: \($0)" } }
        differences = try steps(of: child, "child")
        guard differences.isEmpty else { return differences }
        if Int.random(in: 0..<3, using: &source.generator) == 0 { child.rollBack() }
        try child.save()
        first.adopt(child, isSaved: false)
        actions.append("child saves")
        differences = try first.differences()
        guard differences.isEmpty else { return differences.map { "first: \($0)" } }
        differences = try child.differences(in: child.context)
        return try differences.isEmpty ? settle() : differences.map { "fetched by child: \($0)" }
    }

    /// The first context ends with nothing unsaved, so that the second can go on from there.
    private func settle() throws -> [String] {
        if Int.random(in: 0..<4, using: &source.generator) == 0 {
            first.rollBack()
            actions.append("first rolls back")
        }
        try merging(from: first, into: second) { try first.save() }
        second.adopt(first, isSaved: true)
        actions.append("first saves, second merges")
        let differences = try first.differences()
        return try differences.isEmpty ? second.differences().map { "second: \($0)" } : differences
    }

    func end() throws -> [String] { try first.differences(in: stack.reopened()) }

    private func steps(of program: GraphProgram, _ name: String) throws -> [String] {
        for _ in 0..<Int.random(in: 1...8, using: &source.generator) {
            actions.append("\(name): \(try program.step())")
            let differences = try program.differences()
            if !differences.isEmpty { return differences }
        }
        return []
    }

    /// Has one context merge what another has saved during the block and since it merged last.
    private func merging(from writer: GraphProgram, into reader: GraphProgram, _ save: () throws -> Void) rethrows {
        try save()
        for notification in saves(of: writer).take() {
            reader.context.mergeChanges(fromContextDidSave: notification)
        }
    }

    private let savesOfFirst: SaveLog
    private let savesOfSecond: SaveLog

    private func saves(of program: GraphProgram) -> SaveLog { program === first ? savesOfFirst : savesOfSecond }
}

/// The saves of a context that others have yet to merge.
final class SaveLog: @unchecked Sendable {
    private var saves: [Notification] = []
    private var token: (any NSObjectProtocol)?

    init(
        _ context: NSManagedObjectContext,
        _ name: Notification.Name = NSManagedObjectContext.didSaveObjectIDsNotification
    ) {
        token = NotificationCenter.default.addObserver(
            forName: name, object: context, queue: nil
        ) { [weak self] in self?.saves.append($0) }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    func take() -> [Notification] {
        defer { saves = [] }
        return saves
    }
}
