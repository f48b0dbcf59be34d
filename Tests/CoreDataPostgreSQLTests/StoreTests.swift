import Foundation
import RandomFetches
import ManagedObjectModel
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("What lies in a database, and what becomes of it")
struct StoreTests {
    private let schema = TestServer.freshSchema()

    private func url(_ schema: String? = nil) throws -> URL { try TestServer.shared.url(schema: schema ?? self.schema) }

    private func stack(_ options: [String: Any] = [:]) throws -> ServerStack {
        try ServerStack(url(), NoteModel.make(), options: options)
    }

    private func columns(_ table: String) throws -> [String: String] {
        let rows = try TestServer.shared.execute(
            """
            SELECT column_name, data_type FROM information_schema.columns \
            WHERE table_schema = '\(schema)' AND table_name = '\(table)'
            """, in: schema)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    @Test("Tables and columns are called as the model calls them, and have the server's own types")
    func names() throws {
        _ = try ServerStack(url(), BooksModel.make())
        let book = try columns("Book")
        #expect(book["title"] == "text" && book["pages"] == "integer" && book["copies"] == "smallint")
        #expect(book["big"] == "bigint" && book["price"] == "numeric" && book["rating"] == "real")
        #expect(book["score"] == "double precision" && book["inPrint"] == "boolean" && book["identifier"] == "uuid")
        #expect(book["published"] == "double precision" && book["cover"] == "bytea" && book["author"] == "bigint")
        #expect(book["narrator"] == "text", "a subentity's rows are in the same table")
        #expect(try columns("Author")["address.city"] == "text")
        #expect(try columns("Genre.books").isEmpty != columns("Book.genres").isEmpty)
    }

    @Test("A name that begins as the store's own do, or is too long for the server, is kept apart")
    func peculiarNames() throws {
        _ = try stack()
        #expect(try columns("Label")["__weight"] == "numeric")
        let long = String(repeating: "äöü", count: 30)
        let names = [PostgreSQLName.fitting(long + "1"), PostgreSQLName.fitting(long + "2")]
        #expect(names.allSatisfy { $0.utf8.count <= 63 } && names[0] != names[1])
    }

    @Test("Names of a hostile model are quoted wherever they stand")
    func hostileNames() throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "x\"; DROP TABLE y; --?"
        let attribute = NSAttributeDescription()
        attribute.name = "a\"'?$1"
        attribute.attributeType = .stringAttributeType
        entity.properties = [attribute]
        model.entities = [entity]
        let context = try ServerStack(url(), model).context()
        try context.performAndWait {
            let object = NSManagedObject(entity: entity, insertInto: context)
            object.setValue("'; DROP SCHEMA public; --", forKey: attribute.name)
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.predicate = NSPredicate(format: "%K == %@", attribute.name, "'; DROP SCHEMA public; --")
            request.sortDescriptors = [NSSortDescriptor(key: attribute.name, ascending: true)]
            #expect(try context.count(for: request) == 1)
        }
    }

    @Test("Another program reads objects by plain SQL, with their relationships")
    func plainSQL() throws {
        let context = try stack().context()
        try context.performAndWait {
            let note = NoteModel.note("note", in: context)
            note.setValue(NoteModel.object("Folder", "folder", in: context), forKey: "folder")
            note.setValue(Date(timeIntervalSinceReferenceDate: 0.5), forKey: "written")
            try context.save()
        }
        #expect(
            try TestServer.shared.execute(
                """
                SELECT n.name, f.name, to_char(to_timestamp(n.written + 978307200) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') \
                FROM "Note" n JOIN "Folder" f ON f._id = n.folder
                """, in: schema) == [["note", "folder", "2001-01-01 00:00:00.500"]])
    }

    @Test("A text with U+0000 is refused by an error that names the attribute, and nothing is saved")
    func zeros() throws {
        let context = try stack().context()
        try context.performAndWait {
            NoteModel.note("a\u{0}b", in: context)
            NoteModel.note("other", in: context)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("Note.name") == true)
            let rows = try TestServer.shared.execute("SELECT name FROM \"Note\"", in: schema)
            #expect(rows.isEmpty)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "name < %@", "a\u{0}b")
            request.includesPendingChanges = false
            let count = try context.count(for: request)
            #expect(count == 0)
        }
    }

    @Test("A store is opened again with its UUID, metadata and model, and gives no key twice")
    func reopening() throws {
        let first = try stack()
        let context = first.context()
        let firstURI = try context.performAndWait {
            let note = NoteModel.note("first", in: context)
            try context.save()
            first.coordinator.setMetadata(["mine": 7], for: first.store)
            try context.save()
            return note.objectID.uriRepresentation()
        }
        let identifier = first.store.identifier
        try first.close()
        let second = try stack()
        #expect(second.store.identifier == identifier)
        #expect(second.coordinator.metadata(for: second.store)["mine"] as? Int == 7)
        #expect(
            try PostgreSQLEngine.model(carriedByStoreAt: url())?.entitiesByName.keys.sorted() == [
                "Folder", "Label", "Note",
            ])
        let other = second.context()
        try other.performAndWait {
            let id = try #require(second.coordinator.managedObjectID(forURIRepresentation: firstURI))
            #expect(try other.existingObject(with: id).value(forKey: "name") as? String == "first")
            let note = NoteModel.note("second", in: other)
            try other.save()
            #expect(note.objectID.uriRepresentation() != firstURI)
        }
    }

    @Test("A store of another model isn't opened")
    func otherModel() throws {
        try stack().close()
        let error = #expect(throws: NSError.self) { try ServerStack(url(), BooksModel.make()) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("Destroying a store removes all of it, and a schema that others use stays")
    func destroying() throws {
        let stack = try stack()
        try stack.close()
        try TestServer.shared.execute("CREATE TABLE mine (x int)", in: schema)
        try stack.coordinator.destroyPersistentStore(at: url(), ofType: NSPostgreSQLStoreType)
        let tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = '\(schema)'"
        #expect(try TestServer.shared.execute(tables, in: "public") == [["mine"]])
        try TestServer.shared.execute("DROP TABLE mine", in: schema)
        try self.stack().close()
        // It was there before the store, which therefore leaves it.
        try stack.coordinator.destroyPersistentStore(at: url(), ofType: NSPostgreSQLStoreType)
        #expect(try TestServer.shared.execute(tables, in: "public").isEmpty)
        let own = TestServer.freshSchema()
        try ServerStack(url(own), NoteModel.make()).close()
        try stack.coordinator.destroyPersistentStore(at: url(own), ofType: NSPostgreSQLStoreType)
        #expect(
            try TestServer.shared.execute("SELECT 1 FROM pg_namespace WHERE nspname = '\(own)'", in: "public").isEmpty)
    }

    @Test("Programs that make one store at the same time make one")
    func makingAtOnce() throws {
        let url = try url()
        nonisolated(unsafe) var identifiers = [String?](repeating: nil, count: 6)
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: 6) { index in
            do {
                let stack = try ServerStack(url, NoteModel.make())
                lock.withLock { identifiers[index] = stack.store.identifier }
            } catch {
                Issue.record(error)
            }
        }
        #expect(Set(identifiers).count == 1 && identifiers[0] != nil)
    }

    @Test("A role that may only read and write rows uses a store, and can't make one: the error says what it lacks")
    func leastPrivilege() throws {
        try stack().close()
        let role = "role_" + schema
        try TestServer.shared.execute("CREATE ROLE \(role) LOGIN", in: "public")
        try TestServer.shared.execute("GRANT USAGE ON SCHEMA \(schema) TO \(role)", in: "public")
        try TestServer.shared.execute(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role)", in: "public")
        try TestServer.shared.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role)", in: "public")
        func url(_ schema: String) throws -> URL {
            let text = try self.url(schema).absoluteString.replacing("user=tester", with: "user=\(role)")
            return try #require(URL(string: text))
        }
        let context = try ServerStack(url(schema), NoteModel.make()).context()
        try context.performAndWait {
            let note = NoteModel.note("note", in: context)
            note.setValue(NoteModel.object("Folder", "folder", in: context), forKey: "folder")
            try context.save()
            context.delete(note)
            try context.save()
        }
        let own = TestServer.freshSchema()
        let error = #expect(throws: NSError.self) { try ServerStack(url(own), NoteModel.make()) }
        #expect(error?.code == NSPersistentStoreOpenError && error?.userInfo["SQLSTATE"] as? String == "42501")
        #expect(error?.localizedDescription.contains("GRANT") == true)
    }

    @Test("Nothing is prepared where the URL says so, as for a pool that gives each transaction another connection")
    func unnamedStatements() throws {
        let context = try ServerStack(
            TestServer.shared.url(schema: schema, parameters: "&statements=unnamed"), NoteModel.make(),
            options: [NSPersistentStoreConnectionPoolMaxSizeKey: 1]
        ).context()
        try context.performAndWait {
            let folder = NoteModel.object("Folder", "folder", in: context)
            for round in 0..<3 {
                for number in 0..<5 {
                    NoteModel.note("\(round) \(number)", in: context).setValue(folder, forKey: "folder")
                }
                try context.save()
                let notes = try NoteModel.all("Note", in: context)
                #expect(notes.count == (round + 1) * 5)
                for note in notes { note.setValue("\(round)", forKey: "text") }
                try context.save()
            }
        }
        #expect(throws: NSError.self) {
            try PostgreSQLAddress(#require(URL(string: "postgresql:///x?statements=maybe")))
        }
    }

    @Test("A store that is opened for reading only is neither made nor written, by batch requests either")
    func readOnly() throws {
        let option = [NSReadOnlyPersistentStoreOption: true]
        let missing = #expect(throws: NSError.self) { try stack(option) }
        #expect(missing?.code == NSPersistentStoreOpenError)
        let writer = try stack().context()
        try writer.performAndWait {
            NoteModel.note("note", in: writer)
            try writer.save()
        }
        let reader = try stack(option).context()
        try reader.performAndWait {
            let notes = try NoteModel.all("Note", in: reader)
            #expect(notes.count == 1)
            let update = NSBatchUpdateRequest(entityName: "Note")
            update.propertiesToUpdate = ["text": "changed"]
            #expect(throws: NSError.self) { try reader.execute(update) }
            NoteModel.note("more", in: reader)
            #expect(throws: NSError.self) { try reader.save() }
        }
        #expect(try TestServer.shared.execute("SELECT name, text FROM \"Note\"", in: schema) == [["note", ""]])
    }

    @Test("The number of statements doesn't depend on the number of objects")
    func statements() throws {
        var counts: [Int] = []
        for size in [20, 200] {
            let schema = TestServer.freshSchema()
            let logging = try TestServer.shared.url(schema: schema, parameters: "&options=-clog_statement%3Dall")
            let stack = try ServerStack(logging, NoteModel.make())
            let context = stack.context()
            let before = try statementCount(schema)
            try context.performAndWait {
                let folders = (0..<size).map { NoteModel.object("Folder", "\($0)", in: context) }
                for number in 0..<size * 10 {
                    NoteModel.note("\(number)", in: context).setValue(folders[number % size], forKey: "folder")
                }
                try context.save()
            }
            let reader = stack.context()
            try reader.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
                request.relationshipKeyPathsForPrefetching = ["notes"]
                for folder in try reader.fetch(request) {
                    let notes = (folder.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
                    #expect(notes.compactMap { $0.value(forKey: "name") as? String }.count == 10)
                }
                request.predicate = NSPredicate(format: "ANY notes.name LIKE[c] '*1'")
                request.relationshipKeyPathsForPrefetching = []
                _ = try reader.fetch(request)
            }
            counts.append(try statementCount(schema) - before)
        }
        #expect(counts[0] == counts[1] && counts[1] < 40, "\(counts[0]) and \(counts[1])")
    }

    /// How many statements about a schema's tables the server has noted.
    private func statementCount(_ schema: String) throws -> Int {
        let log = try String(contentsOf: TestServer.shared.folder.appendingPathComponent("log"), encoding: .utf8)
        return log.split(separator: "\n").filter { $0.contains("LOG:") && $0.contains(schema) }.count
    }
}
