import CoreData
import Foundation
import Testing

@Suite("Numbers beyond decimals and texts with U+0000 select the same in every type of store")
struct FarNumberTests {
    private static func stack(_ storeType: String) throws -> TemporaryStack {
        let entity = CodedModel.entity(
            "Item",
            [
                ("key", .integer32AttributeType), ("real", .doubleAttributeType), ("exact", .decimalAttributeType),
                ("text", .stringAttributeType),
            ])
        for property in entity.properties { property.isOptional = true }
        return try TemporaryStack(model: CodedModel.model(entity), storeType: storeType)
    }

    private func keys(_ predicate: NSPredicate, _ context: NSManagedObjectContext) throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = predicate
        return try context.fetch(request).compactMap { $0.value(forKey: "key") as? Int }.sorted()
    }

    @Test("A floating-point number that no decimal holds is ordered before or after it", arguments: Library.storeTypes)
    func farNumbers(storeType: String) throws {
        let stack = try Self.stack(storeType)
        let context = stack.context()
        let reals = [1e300, 1e200, .leastNonzeroMagnitude, 1e-200, -1e-200, -1e300, 3, 1e127, -1e127]
        let decimals = ["100000000000000000000", "0", "-3", "0.000001"]
        var pairs: [(Double, Double)] = []
        for real in reals {
            for decimal in decimals {
                let exact = NSDecimalNumber(string: decimal)
                context.make("Item", ["key": pairs.count, "real": real, "exact": exact])
                pairs.append((real, try #require(Double(decimal))))
            }
        }
        try context.save()
        for context in [context, try stack.reopened()] {
            for (name, holds) in [("<", { $0 < $1 }), (">=", { $0 >= $1 }), ("==", { $0 == $1 })]
                as [(String, (Double, Double) -> Bool)]
            {
                let expected = pairs.indices.filter { holds(pairs[$0].0, pairs[$0].1) }
                #expect(try keys(NSPredicate(format: "real \(name) exact"), context) == expected, "\(name)")
                let constant = NSDecimalNumber(string: "0.5")
                let beside = pairs.indices.filter { holds(pairs[$0].0, 0.5) }
                #expect(try keys(NSPredicate(format: "real \(name) %@", constant), context) == beside, "\(name) 0.5")
            }
            let all = Array(pairs.indices)
            #expect(try keys(NSPredicate(format: "exact < %@", NSNumber(value: 1e300)), context) == all)
            #expect(try keys(NSPredicate(format: "exact > %@", NSNumber(value: -1e300)), context) == all)
            // What is no number has no order.
            for name in ["<", ">=", "=="] {
                let predicate = NSPredicate(format: "real \(name) %@", NSDecimalNumber.notANumber)
                #expect(predicate.evaluate(with: ["real": 1e300]) == predicate.evaluate(with: ["real": 3.5]), "\(name)")
            }
        }
    }

    @Test("A text with U+0000 is itself in a list of any length", arguments: Library.storeTypes, [1, 2, 33, 200])
    func nullCharacters(storeType: String, count: Int) throws {
        let stack = try Self.stack(storeType)
        let context = stack.context()
        let texts = ["a\0b", "a", "A\0B", "\0", "", "a\0"]
        for (key, text) in texts.enumerated() { context.make("Item", ["key": key, "text": text]) }
        try context.save()
        let rest = (1..<count).map { "other \($0)" }
        for context in [context, try stack.reopened()] {
            for (key, text) in texts.enumerated() {
                #expect(try keys(NSPredicate(format: "text IN %@", [text] + rest), context) == [key], "\(key)")
            }
            #expect(try keys(NSPredicate(format: "text IN[c] %@", ["a\0B"] + rest), context) == [0, 2])
            #expect(try keys(NSPredicate(format: "NOT text IN %@", ["a\0b"] + rest), context) == [1, 2, 3, 4, 5])
        }
    }

    @Test("A batch deletion of what isn't in a list leaves a text with U+0000 that is", arguments: [1, 100])
    func batchDeletion(count: Int) throws {
        let stack = try Self.stack(NSSQLiteStoreType)
        let context = stack.context()
        for (key, text) in ["a\0b", "a", "c"].enumerated() { context.make("Item", ["key": key, "text": text]) }
        try context.save()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        request.predicate = NSPredicate(format: "NOT text IN %@", ["a\0b"] + (1..<count).map { "other \($0)" })
        try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        #expect(try keys(NSPredicate(value: true), stack.reopened()) == [0])
    }
}
