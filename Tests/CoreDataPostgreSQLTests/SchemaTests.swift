import Foundation
import FoundationCompat
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

import class FoundationCompat.NSPredicate

@Suite("What a PostgreSQL store makes of a model")
struct SchemaTests {
    @Test("An index over a part of the rows has the predicate, and a fetch that implies it uses the index")
    func partialIndexes() throws {
        let model = NoteModel.make()
        let note = model.entitiesByName["Note"]!
        func index(_ name: String, _ predicate: String, _ arguments: [Any] = []) -> NSFetchIndexDescription {
            let index = NSFetchIndexDescription(
                name: name,
                elements: [
                    NSFetchIndexElementDescription(property: note.propertiesByName["written"]!, collationType: .binary)
                ])
            index.partialIndexPredicate = NSPredicate(format: predicate, argumentArray: arguments)
            return index
        }
        note.indexes = [
            index("open", "text == nil AND name != %@", ["o'Brien"]),
            index("late", "written > %@ OR name == %@", [Date(timeIntervalSinceReferenceDate: 1000.5), "a\"b"]),
            index("whole", "name BEGINSWITH 'a'"),
        ]
        let schema = TestServer.freshSchema()
        let context = try ServerStack(TestServer.shared.url(schema: schema), model).context()
        let definitions = try TestServer.shared.execute(
            """
            SELECT coalesce(pg_get_expr(i.indpred, i.indrelid), '') FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '\(schema)' AND c.relname LIKE 'Note.%' \
            AND c.relname IN ('Note.open', 'Note.late', 'Note.whole') ORDER BY c.relname
            """, in: schema
        ).map { $0[0] }
        #expect(definitions.count == 3)
        #expect(definitions[1].contains("text IS NULL") && definitions[1].contains("IS DISTINCT FROM 'o''Brien'"))
        #expect(definitions[2] == "")
        try context.performAndWait {
            NoteModel.note("a\"b", in: context)
            NoteModel.note("o'Brien", in: context)
            try context.save()
            #expect(try NoteModel.all("Note", in: context).count == 2)
        }
    }

    @Test("An attribute for object IDs is there without a value; one with a value is an error of the save")
    func objectIDs() throws {
        let model = NoteModel.make()
        let reference = NSAttributeDescription()
        reference.name = "reference"
        reference.attributeType = .objectIDAttributeType
        reference.isOptional = true
        model.entitiesByName["Note"]?.properties.append(reference)
        let context = try ServerStack(TestServer.shared.url(schema: TestServer.freshSchema()), model).context()
        try context.performAndWait {
            let note = NoteModel.note("one", in: context)
            try context.save()
            context.refreshAllObjects()
            #expect(try NoteModel.all("Note", in: context).first?.value(forKey: "reference") == nil)
            note.setValue(note.objectID, forKey: "reference")
            #expect(throws: NSError.self) { try context.save() }
        }
    }
}
