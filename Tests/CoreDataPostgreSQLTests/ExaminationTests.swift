import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL
@testable import CoreDataRows

@Suite("Looking into a PostgreSQL store, and mending it")
struct ExaminationTests {
    private let schema = TestServer.freshSchema()
    private var url: URL { get throws { try TestServer.shared.url(schema: schema) } }

    private func fill() throws {
        let stack = try ServerStack(url, NoteModel.make(), options: HistoryTests.tracking)
        let context = stack.context()
        try context.performAndWait {
            let folder = NoteModel.object("Folder", "home", in: context)
            for number in 0..<3 { NoteModel.note("n\(number)", in: context).setValue(folder, forKey: "folder") }
            try context.save()
        }
        try stack.close()
    }

    private func findings(_ model: NSManagedObjectModel = NoteModel.make()) throws -> [StoreFinding] {
        try NSPersistentStoreCoordinator.examineStore(at: url, ofType: NSPostgreSQLStoreType, model: model)
    }

    @Test("An inventory has the rows of each entity, the other tables, and whether there is history")
    func inventory() throws {
        try fill()
        let found = try NSPersistentStoreCoordinator.inventory(
            ofStoreAt: url, ofType: NSPostgreSQLStoreType, model: NoteModel.make())
        #expect(
            found.entities.sorted { $0.name < $1.name }.map { "\($0.name) \($0.rows)" } == [
                "Folder 1", "Label 0", "Note 3",
            ])
        #expect(found.hasHistory)
        #expect(found.otherTables.first { $0.name == "_changes" }?.rows == 4)
        let error = #expect(throws: NSError.self) {
            _ = try NSPersistentStoreCoordinator.inventory(
                ofStoreAt: TestServer.shared.url(schema: "nothing"), ofType: NSPostgreSQLStoreType, model: nil)
        }
        #expect(error?.code == NSPersistentStoreOpenError)
    }

    @Test("A sound store has no findings; what is missing is named, and mended after a copy was made")
    func repair() throws {
        try fill()
        #expect(try findings().isEmpty)
        try TestServer.shared.execute("ALTER TABLE \"Note\" DROP CONSTRAINT \"Note.name.unique\"", in: schema)
        try TestServer.shared.execute("SELECT setval('\"_keys\"', 0, false)::text", in: schema)
        let found = try findings()
        #expect(Set(found.map(\.kind)) == [.missingIndex, .keyCounter] && found.allSatisfy(\.isRepairable))
        let (backup, left) = try NSPersistentStoreCoordinator.repairStore(
            at: url, ofType: NSPostgreSQLStoreType, model: NoteModel.make())
        #expect(left.isEmpty)
        let copy = try ServerStack(backup, NoteModel.make()).context()
        let count = try copy.performAndWait { try NoteModel.all("Note", in: copy).count }
        #expect(count == 3)
        let context = try ServerStack(url, NoteModel.make()).context()
        try context.performAndWait {
            NoteModel.note("new", in: context)
            try context.save()
        }
    }

    @Test("Tables that aren't the model's, rows of no entity, and another version of the model are named")
    func problems() throws {
        try fill()
        try TestServer.shared.execute("UPDATE \"Note\" SET \"_entity\" = 99 WHERE \"name\" = 'n1'", in: schema)
        #expect(try findings().map(\.kind) == [.wrongEntity])
        try TestServer.shared.execute("ALTER TABLE \"Note\" DROP COLUMN \"text\"", in: schema)
        #expect(try findings().map(\.subject) == ["Note.text"])
        let other = NoteModel.make()
        other.entitiesByName["Label"]?.properties.removeLast()
        other.entitiesByName["Note"]?.properties.removeAll { $0.name == "labels" }
        #expect(Set(try findings(other).map(\.subject)) == ["Label", "Note"])
    }
}
