import CoreData
import Foundation
import Testing

@Suite("Random programs of changes, saves and rollbacks agree with plain dictionaries")
struct RandomProgramTests {
    @Test(
        "After every step both sides of every relationship agree, and every save is what the file holds",
        arguments: ProgramSeeds.seeds(from: 0, usually: 60))
    func program(seed: UInt64) throws {
        try run(seed: seed, in: NSSQLiteStoreType)
    }

    @Test("The same holds for a store in memory", arguments: ProgramSeeds.seeds(from: 1000, usually: 30))
    func programInMemory(seed: UInt64) throws {
        try run(seed: seed, in: NSInMemoryStoreType)
    }

    @Test(
        "The same holds for XML and binary stores", arguments: [NSXMLStoreType, NSBinaryStoreType],
        ProgramSeeds.seeds(from: 2000, usually: 20))
    func programInFile(storeType: String, seed: UInt64) throws {
        try run(seed: seed, in: storeType)
    }

    @Test(
        "The same holds when steps are undone and redone, across saves too",
        arguments: ProgramSeeds.seeds(from: 3000, usually: 60))
    func programWithUndo(seed: UInt64) throws {
        try run(seed: seed, in: NSSQLiteStoreType, undoes: true)
    }

    private func run(seed: UInt64, in storeType: String, undoes: Bool = false) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let program = GraphProgram(stack.context(), ProgramSource(seed: seed), undoes: undoes)
        var actions: [String] = []
        for step in 0..<60 {
            let action = try program.step()
            actions.append(action)
            let differences = try program.differences()
            try #require(differences == [], "seed \(seed), step \(step): \(differences) after \(actions)")
        }
        try program.context.save()
        let differences = try program.differences(in: stack.reopened())
        #expect(differences == [], "seed \(seed), at the end: \(differences) after \(actions)")
    }
}
