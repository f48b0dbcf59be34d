import Foundation
import FoundationCompat
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

@Suite("Derived attributes of a PostgreSQL store")
struct DerivedAttributeTests {
    private static func derived(_ name: String, _ type: NSAttributeType, _ expression: String)
        -> NSDerivedAttributeDescription
    {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression =
            expression.contains("(") ? NSExpression(format: expression) : NSExpression(forKeyPath: expression)
        return attribute
    }

    private static func model() -> NSManagedObjectModel {
        let model = NoteModel.make()
        let (note, folder, label) = (
            model.entitiesByName["Note"]!, model.entitiesByName["Folder"]!, model.entitiesByName["Label"]!
        )
        let stars = NSAttributeDescription()
        stars.name = "stars"
        stars.attributeType = .integer32AttributeType
        stars.isOptional = true
        note.properties += [
            stars, derived("searchName", .stringAttributeType, "canonical:(name)"),
            derived("home", .stringAttributeType, "folder.name"),
            derived("loudHome", .stringAttributeType, "uppercase:(folder.name)"),
            derived("labelCount", .integer64AttributeType, "labels.@count"),
        ]
        folder.properties += [
            derived("count", .integer32AttributeType, "notes.@count"),
            derived("stars", .integer64AttributeType, "notes.@sum.stars"),
            derived("saved", .dateAttributeType, "now()"),
        ]
        label.properties += [derived("stars", .integer64AttributeType, "notes.@sum.stars")]
        return model
    }

    private static let keys = [
        ("Note", ["name", "searchName", "home", "loudHome", "labelCount"]), ("Folder", ["name", "count", "stars"]),
        ("Label", ["name", "stars"]),
    ]

    /// One step of a program, in both stores.
    private static func step(_ generator: inout SeededGenerator, _ number: Int, _ context: NSManagedObjectContext)
        throws
    {
        func any(_ entity: String) throws -> NSManagedObject? {
            try NoteModel.all(entity, in: context).randomElement(using: &generator)
        }
        switch Int.random(in: 0..<11, using: &generator) {
        case 0, 1, 2:
            let note = NoteModel.note("Nöte \(number)", in: context)
            note.setValue(Int.random(in: 0...9, using: &generator), forKey: "stars")
            note.setValue(try any("Folder"), forKey: "folder")
            note.setValue(Set([try any("Label")].compactMap { $0 }), forKey: "labels")
        case 3: NoteModel.object("Folder", "f\(number)", in: context)
        case 4: NoteModel.object("Label", "l\(number)", in: context)
        case 5: try any("Note")?.setValue(try any("Folder"), forKey: "folder")
        case 6: try any("Folder")?.setValue("renamed \(number)", forKey: "name")
        case 7: try any("Note").map(context.delete)
        case 8: try any("Label")?.setValue(Set([try any("Note"), try any("Note")].compactMap { $0 }), forKey: "notes")
        case 9:
            let update = NSBatchUpdateRequest(entityName: "Note")
            update.predicate = NSPredicate(format: "stars > %d", Int.random(in: 0...9, using: &generator))
            update.propertiesToUpdate = ["stars": number]
            try context.execute(update)
        default:
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: number.isMultiple(of: 2) ? "Folder" : "Note")
            request.predicate = NSPredicate(format: "name ENDSWITH %@", "\(number % 7)")
            try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
        try context.save()
        context.reset()
    }

    @Test("have the values that a SQLite store gives them, whatever is saved", arguments: [1, 2, 3, 4] as [UInt64])
    func twins(seed: UInt64) throws {
        let twins = try Twins(Self.model)
        for number in 0..<60 {
            _ = try twins.each { context in
                var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
                try Self.step(&generator, number, context)
            }
            for (entity, keys) in Self.keys {
                let found = try twins.contents(entity, keys)
                try #require(found[0] == found[1], "seed \(seed), step \(number), \(entity)")
            }
        }
    }

    @Test("are fetched with their new values after a save, and tell when an object was saved")
    func saving() throws {
        let context = try ServerStack(TestServer.shared.url(schema: TestServer.freshSchema()), Self.model()).context()
        try context.performAndWait {
            let before = Date()
            let folder = NoteModel.object("Folder", "home", in: context)
            try context.save()
            for name in ["a", "b"] { NoteModel.note(name, in: context).setValue(folder, forKey: "folder") }
            try context.save()
            context.refresh(folder, mergeChanges: true)
            #expect(folder.value(forKey: "count") as? Int == 2)
            let saved = try #require(folder.value(forKey: "saved") as? Date)
            #expect(saved >= before && saved <= Date())
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "loudHome == 'HOME' AND folder.count == 2")
            #expect(try context.count(for: request) == 2)
        }
    }

    @Test("that a migration adds are computed for all objects")
    func migration() throws {
        let schema = TestServer.freshSchema()
        let first = try ServerStack(TestServer.shared.url(schema: schema), NoteModel.make())
        let context = first.context()
        try context.performAndWait {
            let folder = NoteModel.object("Folder", "home", in: context)
            for name in ["ä", "b", "c"] { NoteModel.note(name, in: context).setValue(folder, forKey: "folder") }
            try context.save()
        }
        try first.close()
        let second = try ServerStack(
            TestServer.shared.url(schema: schema), Self.model(),
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        let reading = second.context()
        try reading.performAndWait {
            #expect(try NoteModel.all("Folder", in: reading).first?.value(forKey: "count") as? Int == 3)
            let notes = try NoteModel.all("Note", in: reading)
            #expect(Set(notes.compactMap { $0.value(forKey: "searchName") as? String }) == ["a", "b", "c"])
            #expect(notes.allSatisfy { $0.value(forKey: "loudHome") as? String == "HOME" })
        }
    }

    @Test("by an expression that isn't a derivation are named when the store is made")
    func unsupported() throws {
        let model = NoteModel.make()
        model.entitiesByName["Note"]?.properties.append(
            Self.derived("odd", .integer64AttributeType, "sqrt:(written)"))
        let error = #expect(throws: NSError.self) {
            _ = try ServerStack(TestServer.shared.url(schema: TestServer.freshSchema()), model)
        }
        #expect(error?.localizedDescription.contains("Note.odd") ?? false)
    }
}
