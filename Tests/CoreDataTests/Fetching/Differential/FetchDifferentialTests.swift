import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

/// A stack over one of three models, with a third of 5,000 objects in its SQLite store.
private struct RandomStore {
    let stack: TemporaryStack
    let context: NSManagedObjectContext
    let model: NSManagedObjectModel
    let objects: [NSManagedObject]

    init(_ name: String, seed: UInt64) throws {
        switch name {
        case "Library":
            model = try Library.model()
            for entity in model.entities { entity.uniquenessConstraints = [] }
            for property in model.entities.flatMap(\.properties) {
                property.setValidationPredicates(nil, withValidationWarnings: nil)
                property.isOptional = true
            }
        case "Books": model = SQLiteQueryLibrary.makeModel()
        default: model = CompanyModel.make()
        }
        stack = try TemporaryStack(model: model)
        let writer = stack.context()
        var values = RandomValues(seed: seed)
        values.fill(writer, model, objects: 5000 / 3)
        try writer.save()
        context = stack.context()
        var objects: [NSManagedObject] = []
        for entity in model.entities where entity.superentity == nil {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
            objects += try context.fetch(request)
        }
        self.objects = objects
    }
}

@Suite("A fetch from a SQLite store says what memory says")
struct FetchDifferentialTests {
    /// 1,000 fetches; `COREDATA_DIFFERENTIAL_FETCHES` says how many instead. 20,000 were run.
    private static let fetchCount =
        ProcessInfo.processInfo.environment["COREDATA_DIFFERENTIAL_FETCHES"].flatMap(Int.init) ?? 1000

    @Test(
        "Predicate, order, limit and offset select the same objects in the same order",
        arguments: ["Library", "Books", "Company"])
    func fetches(model name: String) throws {
        let seed: UInt64 = 7
        let store = try RandomStore(name, seed: seed)
        var predicates = RandomPredicates(seed: seed, objects: store.objects)
        let entities = store.model.entities
        var selected = 0
        var failures = 0
        for round in 0..<Self.fetchCount / 3 where failures < 20 {
            let entity = entities[round % entities.count]
            let members = store.objects.filter { $0.entity.isKindOf(entity: entity) }
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.predicate = predicates.predicate(over: entity)
            if predicates.values.chance(40) { request.sortDescriptors = predicates.sortDescriptors(of: entity) }
            if predicates.values.chance(20) { request.fetchLimit = predicates.values.pick([1, 10, 100]) }
            if predicates.values.chance(10) { request.fetchOffset = predicates.values.pick([1, 10]) }
            if predicates.values.chance(10) { request.fetchBatchSize = 50 }
            let place: Comment =
                "\(name), seed \(seed), round \(round): \(entity.name ?? "") \(request.predicate) by \(request.sortDescriptors) \(request.fetchOffset) \(request.fetchLimit)"
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
        #expect(selected > Self.fetchCount, "the generator selects next to nothing")
    }
}
