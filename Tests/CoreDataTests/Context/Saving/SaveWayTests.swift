import CoreData
import Foundation
import TestSupport
import Testing

/// What features that change what a save sees have to do with each other: children, pins, undo, permanent IDs, Save As, several
/// stores, unique values, inheritance, delete rules and merge policies, while somebody else saves.
@Suite("The same edits end in the same store, whichever way they take")
@MainActor
struct SaveWayTests {
    private struct Outcome {
        let store: [String]
        let program: SaveWayProgram
    }

    private func outcome(_ way: SaveWay, _ type: String, _ seed: UInt64) throws -> Outcome {
        let program = try SaveWayProgram(way, type, seed: seed)
        return Outcome(store: try program.run(), program: program)
    }

    nonisolated private static let seeds = ProgramSeeds.seeds(from: 70_000, usually: 24)

    @Test("over every store type, under every merge policy", arguments: seeds)
    func programs(seed: UInt64) throws {
        // Only SQLite and in-memory stores know unique values, and SQLite knows all ways.
        for type in seed % 4 == 0 ? Library.storeTypes : [NSSQLiteStoreType] {
            let plain = try outcome(.plain, type, seed)
            for way in SaveWay.allCases where way != .plain && way.isPossible(type) {
                if way.readsLater, !plain.program.othersOnlySet { continue }
                let other = try outcome(way, type, seed)
                #expect(
                    other.store == plain.store,
                    "seed \(seed), \(type), \(way): \(other.program.log.joined(separator: ", "))")
            }
        }
    }

    @Test("The member of an owner whose deletion a policy takes back comes back with it, also by a child or a redo")
    func takenBack() throws {
        for way in SaveWay.allCases where way != .twoStores {
            let stack = try SaveWayStack(way, NSSQLiteStoreType, policy: .mergeByPropertyStoreTrump)
            let owner = stack.other.make("Note", ["key": "owner"])
            stack.other.make("Line", ["key": "line", "note": owner])
            try stack.other.save()
            try stack.begin()
            let mine = try #require(try stack.editor.all("Note").first)
            #expect(mine.text("key") == "owner")
            owner.setValue(7, forKey: "size")
            try stack.other.save()
            stack.edit { stack.editor.delete(mine) }
            try stack.end(editing: 1)
            #expect(
                try stack.contents() == [
                    "Line key line size 0 note owner",
                    "Note key owner size 7 text nil lines [\"line\"] owner nil tags []",
                ], "\(way)")
        }
    }

    @Test("An object that a child inserts gives a stored one only the attributes that the child has set")
    func upsert() throws {
        for way in SaveWay.allCases where way != .twoStores {
            let stack = try SaveWayStack(way, NSSQLiteStoreType, policy: .mergeByPropertyObjectTrump)
            stack.other.make("Note", ["key": "known", "size": 69, "text": "old"])
            try stack.other.save()
            try stack.begin()
            stack.edit { stack.editor.make("Note", ["key": "known", "size": 70]) }
            try stack.end(editing: 1)
            #expect(
                try stack.contents() == ["Note key known size 70 text old lines [] owner nil tags []"], "\(way)")
        }
    }
}
