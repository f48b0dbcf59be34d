import Foundation
import FoundationCompat
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL
@testable import CoreDataRows

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@Suite("Names of a model and a schema that end whatever they stand in")
struct HostileNameTests {
    private let schema = "hostile " + TestServer.freshSchema().prefix(9) + HostileModel.suffix
    private let other = "other " + TestServer.freshSchema().prefix(9) + HostileModel.suffix
    private let bystanders = TestServer.freshSchema()
    private let model = HostileModel(version: 1)
    private static let options = [
        NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]

    /// What a server may be told of backslashes in texts.
    static let settings = ["", "&options=-c%20standard_conforming_strings%3Doff"]

    private func stack(_ schema: String, _ settings: String, _ model: HostileModel) throws -> ServerStack {
        try ServerStack(
            TestServer.shared.url(schema: schema, parameters: settings), model.make(), options: Self.options)
    }

    /// A schema in which there is a table that the names would drop.
    private func makeBystander() throws {
        try TestServer.shared.execute("CREATE SCHEMA \"\(bystanders)\"", in: "public")
        try TestServer.shared.execute("CREATE TABLE bystander (x int)", in: bystanders)
    }

    /// Notes in a folder, by a save of many rows, one of few, and one that changes and deletes.
    private func fill(_ context: NSManagedObjectContext) throws {
        let folder = model.object(model.folder, 0, in: context)
        let labels = (0..<2).map { model.object(model.label, $0, in: context) }
        for number in 0..<20 {
            let note = model.object(model.note, number, in: context)
            note.setValue(HostileModel.text(number % 3), forKey: model.text)
            note.setValue(Set([labels[number % 2]]), forKey: model.labels)
            if number < 4 { note.setValue(folder, forKey: model.name("folder")) }
        }
        try context.save()
        let memo = model.object(model.memo, 20, in: context)
        memo.setValue(folder, forKey: model.name("folder"))
        folder.setValue(Set([memo]), forKey: model.pinned)
        try context.save()
        let notes = try model.all(model.note, in: context)
        folder.setValue(NSOrderedSet(array: [memo, notes[1], notes[0]]), forKey: model.notes)
        notes[1].setValue(7, forKey: model.stars)
        notes[0].setValue(Set(labels), forKey: model.labels)
        context.delete(notes[5])
        try context.save()
    }

    private func request(_ format: String, _ arguments: [Any]) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: model.note)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return request
    }

    private func fetch(_ context: NSManagedObjectContext) throws {
        let wanted = HostileModel.text(1)
        #expect(try context.count(for: request("%K == %@", [model.title, wanted])) == 1)
        #expect(try context.count(for: request("%K IN %@", [model.title, [wanted, HostileModel.text(2)]])) == 2)
        #expect(try context.count(for: request("%K CONTAINS %@", [model.title, HostileModel.suffix])) == 20)
        #expect(try context.count(for: request("%K ENDSWITH[c] %@", [model.title, HostileModel.suffix])) == 20)
        #expect(try context.count(for: request("ANY %K == %@", ["\(model.labels).\(model.title)", wanted])) > 1)
        let home = "\(model.name("folder")).\(model.title)"
        #expect(try context.count(for: request("%K == %@", [home, HostileModel.text(0)])) == 3)
        #expect(try context.count(for: request("%K.@count > 1", [model.labels])) == 1)
        let groups = NSFetchRequest<NSDictionary>(entityName: model.note)
        groups.resultType = .dictionaryResultType
        groups.propertiesToFetch = [model.text]
        groups.propertiesToGroupBy = [model.text]
        groups.sortDescriptors = [NSSortDescriptor(key: model.text, ascending: true)]
        #expect(
            try context.fetch(groups).map { $0[model.text] as? String }
                == [nil, HostileModel.text(0), HostileModel.text(1), HostileModel.text(2)])
    }

    private func batches(_ context: NSManagedObjectContext) throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.execute(
            NSBatchInsertRequest(
                entityName: model.note,
                objects: [
                    [model.title: HostileModel.text(1), model.text: HostileModel.text(9)],
                    [model.title: HostileModel.text(30), model.text: HostileModel.text(9)],
                ]))
        #expect(try context.count(for: request("%K == %@", [model.text, HostileModel.text(9)])) == 2)
        let update = NSBatchUpdateRequest(entityName: model.note)
        update.predicate = NSPredicate(format: "%K == %@", model.title, HostileModel.text(30))
        update.propertiesToUpdate = [model.text: HostileModel.suffix, model.stars: 3]
        try context.execute(update)
        update.propertiesToUpdate = [model.text: NSExpression(forKeyPath: model.title)]
        try context.execute(update)
        let set = request("%K == %@ AND %K == 3", [model.text, HostileModel.text(30), model.stars])
        #expect(try context.count(for: set) == 1)
        let doomed = NSFetchRequest<NSFetchRequestResult>(entityName: model.note)
        doomed.predicate = NSPredicate(format: "%K == %@", model.title, HostileModel.text(0))
        try context.execute(NSBatchDeleteRequest(fetchRequest: doomed))
        #expect(try context.count(for: request("%K == %@", [model.title, HostileModel.text(0)])) == 0)
        context.mergePolicy = NSMergePolicy.error
        model.object(model.note, 1, in: context)
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        context.reset()
    }

    private func checkHistory(_ context: NSManagedObjectContext) throws {
        let changes = try HistoryTests.history(context).flatMap { $0.changes ?? [] }
        let names = Set(changes.compactMap(\.updatedProperties).flatMap { $0.map(\.name) })
        #expect(names.isSuperset(of: [model.stars, model.text, model.labels, model.notes]))
        let kept = changes.compactMap { $0.tombstone?[model.title] as? String }
        #expect(Set(kept) == [HostileModel.text(0), HostileModel.text(13)])
    }

    @Test("Statements of every kind keep to what they are about", arguments: settings)
    func everyStatement(settings: String) throws {
        try makeBystander()
        let first = try stack(schema, settings, model)
        let context = first.context()
        let contents = try context.performAndWait {
            try fill(context)
            try fetch(context)
            try batches(context)
            try checkHistory(context)
            return try model.contents(context)
        }
        try first.close()
        #expect(contents.count == 21)
        try checkCopyAndExamination(contents, settings)
        try checkMigration(contents, settings)
        for schema in [schema, other] {
            let url = try TestServer.shared.url(schema: schema, parameters: settings)
            try NSPersistentStoreCoordinator(managedObjectModel: model.make()).destroyPersistentStore(
                at: url, ofType: NSPostgreSQLStoreType)
        }
        let left = try TestServer.shared.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE '%DROP TABLE%' AND nspname NOT LIKE '%repair'",
            in: "public")
        #expect(!left.contains([PostgreSQLName.fitting(schema)]) && !left.contains([other]))
        #expect(try TestServer.shared.execute("SELECT COUNT(*)::text FROM bystander", in: bystanders) == [["0"]])
    }

    /// A copy in another schema, from which an index is taken and made again.
    private func checkCopyAndExamination(_ contents: [String], _ settings: String) throws {
        let (url, copied) = (
            try TestServer.shared.url(schema: schema, parameters: settings),
            try TestServer.shared.url(schema: other, parameters: settings)
        )
        for _ in 0..<2 {
            try NSPersistentStoreCoordinator(managedObjectModel: model.make()).replacePersistentStore(
                at: copied, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
                ofType: NSPostgreSQLStoreType)
        }
        func findings() throws -> [StoreFinding] {
            try NSPersistentStoreCoordinator.examineStore(
                at: copied, ofType: NSPostgreSQLStoreType, model: model.make())
        }
        #expect(try findings().isEmpty)
        let index = PostgreSQLName.fitting("\(model.note).\(model.name("index"))")
        try TestServer.shared.execute("DROP INDEX " + Self.inQuotes(index), in: other)
        #expect(try findings().map(\.subject) == [index])
        let left = try NSPersistentStoreCoordinator.repairStore(
            at: copied, ofType: NSPostgreSQLStoreType, model: model.make()
        ).left
        #expect(left.isEmpty)
        let inventory = try NSPersistentStoreCoordinator.inventory(
            ofStoreAt: copied, ofType: NSPostgreSQLStoreType, model: model.make())
        #expect(inventory.entities.first { $0.name == model.note }?.rows == 19)
        let copy = try stack(other, settings, model)
        let context = copy.context()
        #expect(try context.performAndWait { try model.contents(context) } == contents)
        try copy.close()
    }

    private static func inQuotes(_ name: String) -> String {
        "\"" + String(String.UnicodeScalarView(name.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] })) + "\""
    }

    private func checkMigration(_ contents: [String], _ settings: String) throws {
        let model = HostileModel(version: 2)
        let second = try stack(schema, settings, model)
        let context = second.context()
        try context.performAndWait {
            #expect(try model.contents(context) == contents)
            let memo = try #require(try model.all(model.memo, in: context).first)
            #expect(memo.value(forKey: model.name("sender")) as? String == HostileModel.suffix)
            let names = try HistoryTests.history(context).flatMap { $0.changes ?? [] }
                .compactMap(\.updatedProperties).flatMap { $0.map(\.name) }
            #expect(Set(names).isSuperset(of: [model.stars, model.text]))
            memo.setValue(nil, forKey: model.name("folder"))
            try context.save()
        }
        try second.close()
    }
}
