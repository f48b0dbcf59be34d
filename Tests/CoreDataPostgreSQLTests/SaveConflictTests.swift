import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Two programs save into one PostgreSQL store")
struct SaveConflictTests {
    private let schema = TestServer.freshSchema()

    private func stack() throws -> ServerStack {
        try ServerStack(TestServer.shared.url(schema: schema), NoteModel.make())
    }

    @Test("What one has changed is a conflict for the other, and nothing of its save is written")
    func changed() throws {
        let (one, other) = (try stack().context(), try stack().context())
        try one.performAndWait {
            NoteModel.note("note", in: one)
            try one.save()
        }
        try other.performAndWait {
            let note = try #require(NoteModel.all("Note", in: other).first)
            try one.performAndWait {
                try #require(NoteModel.all("Note", in: one).first).setValue("first", forKey: "text")
                try one.save()
            }
            note.setValue("second", forKey: "text")
            NoteModel.note("more", in: other)
            let error = #expect(throws: NSError.self) { try other.save() }
            #expect(error?.code == NSManagedObjectMergeError)
            #expect(
                try TestServer.shared.execute("SELECT name, text FROM \"Note\"", in: schema) == [["note", "first"]])
            other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try other.save()
            #expect(
                try TestServer.shared.execute("SELECT name, text FROM \"Note\" ORDER BY 1", in: schema)
                    == [["more", ""], ["note", "second"]])
        }
    }

    @Test("A unique value that both save at the same time is saved by one, and a conflict for the other")
    func unique() throws {
        // Each save waits inside its transaction until the other's rows are written too.
        let contexts = [try stack().context(), try stack().context()]
        let outcomes = DispatchQueue.concurrentMap(contexts) { context -> Int in
            context.performAndWait {
                for number in 0..<20 {
                    NoteModel.note("same \(number)", in: context)
                    do {
                        try context.save()
                    } catch let error as NSError {
                        if error.code != NSManagedObjectConstraintMergeError { return error.code }
                        context.rollback()
                    }
                }
                return 0
            }
        }
        #expect(outcomes == [0, 0])
        #expect(try TestServer.shared.execute("SELECT COUNT(*)::text FROM \"Note\"", in: schema) == [["20"]])
    }

    @Test("Unique values go from one object to another in one save, as the constraint is looked at when all is written")
    func exchange() throws {
        let context = try stack().context()
        try context.performAndWait {
            let (one, two) = (NoteModel.note("1", in: context), NoteModel.note("2", in: context))
            try context.save()
            one.setValue("2", forKey: "name")
            two.setValue("1", forKey: "name")
            try context.save()
            #expect(
                try TestServer.shared.execute("SELECT name FROM \"Note\" ORDER BY _id", in: schema) == [["2"], ["1"]])
        }
    }

    @Test("Two writers count up the same objects for each other: nothing is lost, whatever they wait for")
    func counters() throws {
        let setup = try stack().context()
        try setup.performAndWait {
            for number in 0..<5 { NoteModel.note("\(number)", in: setup).setValue("0", forKey: "text") }
            try setup.save()
        }
        let contexts = try (0..<4).map { _ in try stack().context() }
        let errors = DispatchQueue.concurrentMap(contexts) { context -> String in
            context.performAndWait {
                var done = 0
                for _ in 0..<2000 where done < 10 {
                    do {
                        // In any order, so that two saves may wait for each other in a circle.
                        for note in try NoteModel.all("Note", in: context).shuffled() {
                            let count = Int(note.value(forKey: "text") as? String ?? "") ?? 0
                            note.setValue(String(count + 1), forKey: "text")
                        }
                        try context.save()
                        done += 1
                    } catch let error as NSError {
                        guard error.code == NSManagedObjectMergeError else { return "\(error)" }
                        context.rollback()
                        context.refreshAllObjects()
                    }
                }
                return done == 10 ? "" : "gave up at \(done)"
            }
        }
        #expect(errors == ["", "", "", ""])
        #expect(
            try TestServer.shared.execute("SELECT DISTINCT text FROM \"Note\"", in: schema) == [["40"]])
    }

    @Test("An object that another program deletes meanwhile is a conflict; what leads to it from a new one is an error")
    func deletedDestination() throws {
        let (one, other) = (try stack().context(), try stack().context())
        try one.performAndWait {
            NoteModel.object("Folder", "folder", in: one)
            try one.save()
        }
        try other.performAndWait {
            let folder = try #require(NoteModel.all("Folder", in: other).first)
            NoteModel.note("note", in: other).setValue(folder, forKey: "folder")
            try one.performAndWait {
                one.delete(try #require(NoteModel.all("Folder", in: one).first))
                try one.save()
            }
            let error = #expect(throws: NSError.self) { try other.save() }
            #expect([NSManagedObjectMergeError, NSManagedObjectReferentialIntegrityError].contains(error?.code ?? 0))
            #expect(try TestServer.shared.execute("SELECT COUNT(*)::text FROM \"Note\"", in: schema) == [["0"]])
        }
    }

    @Test("Orders and pairs are saved, changed and read again")
    func relationships() throws {
        let context = try stack().context()
        try context.performAndWait {
            let folder = NoteModel.object("Folder", "folder", in: context)
            let notes = (0..<30).map { NoteModel.note("\($0)", in: context) }
            let labels = (0..<3).map { NoteModel.object("Label", "label \($0)", in: context) }
            folder.setValue(NSOrderedSet(array: notes.reversed()), forKey: "notes")
            for note in notes { note.setValue(Set(labels), forKey: "labels") }
            try context.save()
            folder.setValue(NSOrderedSet(array: Array(notes[5...].reversed()) + Array(notes[..<3])), forKey: "notes")
            notes[0].setValue(Set(labels.prefix(1)), forKey: "labels")
            context.delete(labels[1])
            try context.save()
        }
        let reader = try stack().context()
        try reader.performAndWait {
            let folder = try #require(NoteModel.all("Folder", in: reader).first)
            let names = (folder.value(forKey: "notes") as? NSOrderedSet)?.array.compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            }
            #expect(names == (5..<30).reversed().map { "\($0)" } + ["0", "1", "2"])
            let counts = try NoteModel.all("Note", in: reader).map {
                ($0.value(forKey: "labels") as? Set<NSManagedObject>)?.count
            }
            #expect(counts.filter { $0 == 2 }.count == 29 && counts.filter { $0 == 1 }.count == 1)
        }
    }
}

extension DispatchQueue {
    /// The results for all elements, each computed on a thread of its own.
    fileprivate static func concurrentMap<Element, Result: Sendable>(
        _ elements: [Element], _ body: @escaping (Element) -> Result
    ) -> [Result] {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) let elements = elements
        let results = Mutex<[Int: Result]>([:])
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
            let result = body(elements[index])
            results.withLock { $0[index] = result }
        }
        return elements.indices.compactMap { index in results.withLock { $0[index] } }
    }
}
