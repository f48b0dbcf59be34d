import Foundation
import FoundationCompat
import RandomFetches
import Testing

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("A fetch from a PostgreSQL store says what memory says")
struct FetchDifferentialTests {
    /// 600 fetches; `COREDATA_DIFFERENTIAL_FETCHES` says how many instead.
    private static let fetchCount =
        ProcessInfo.processInfo.environment["COREDATA_DIFFERENTIAL_FETCHES"].flatMap(Int.init) ?? 600

    /// A store with 900 objects of a model, all of which are in memory too.
    private struct RandomStore {
        let context: NSManagedObjectContext
        let model: NSManagedObjectModel
        let objects: [NSManagedObject]

        init(_ name: String, seed: UInt64) throws {
            model = name == "Books" ? BooksModel.make() : CompanyModel.make()
            let stack = try ServerStack(TestServer.shared.url(schema: TestServer.freshSchema()), model)
            let writer = stack.context()
            var values = RandomValues(seed: seed)
            try writer.performAndWait { [model] in
                values.fill(writer, model, objects: 900)
                try writer.save()
            }
            context = stack.context()
            objects = try context.performAndWait { [context, model] in
                try model.entities.filter { $0.superentity == nil }.flatMap { entity in
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                    request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
                    return try context.fetch(request)
                }
            }
        }
    }

    @Test(
        "Predicate, order, limit and offset select the same objects in the same order", arguments: ["Books", "Company"])
    func fetches(model name: String) throws {
        let seed: UInt64 = 7
        let store = try RandomStore(name, seed: seed)
        var predicates = RandomPredicates(seed: seed, objects: store.objects)
        let entities = store.model.entities
        var selected = 0
        var failures = 0
        store.context.performAndWait {
            for round in 0..<Self.fetchCount / 2 where failures < 20 {
                let entity = entities[round % entities.count]
                let members = store.objects.filter { $0.entity.isKindOf(entity: entity) }
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.predicate = predicates.predicate(over: entity)
                if predicates.values.chance(40) { request.sortDescriptors = predicates.sortDescriptors(of: entity) }
                if predicates.values.chance(20) { request.fetchLimit = predicates.values.pick([1, 10, 100]) }
                if predicates.values.chance(10) { request.fetchOffset = predicates.values.pick([1, 10]) }
                if predicates.values.chance(10) { request.fetchBatchSize = 50 }
                let place: Comment =
                    "\(name), seed \(seed), round \(round): \(entity.name ?? "") \(String(describing: request.predicate).prefix(600)) by \(String(describing: request.sortDescriptors)) \(request.fetchOffset) \(request.fetchLimit)"
                do {
                    let expected = try ExpectedResults.of(request, among: members)
                    let found = try store.context.fetch(request)
                    selected += found.count
                    if !ExpectedResults.allow(found, insteadOf: expected, request) {
                        failures += 1
                        Issue.record("\(found.count) instead of \(expected.count): \(place)")
                    }
                    #expect(try store.context.count(for: request) == found.count, place)
                } catch {
                    failures += 1
                    Issue.record(error, place)
                }
            }
        }
        #expect(selected > Self.fetchCount, "the generator selects next to nothing")
    }
}
