@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@testable import CoreData

@Suite("SQL and memory say the same")
struct SQLiteQueryDifferentialTests {
    /// 4,000 predicates; as many seeds as `COREDATA_FUZZ_SEEDS` says, of 500 predicates each.
    private static let seeds =
        UInt64(1)...(ProcessInfo.processInfo.environment["COREDATA_FUZZ_SEEDS"].flatMap(UInt64.init) ?? 8)

    @Test("A predicate selects the same rows in SQL as objects in memory", arguments: seeds)
    func predicates(seed: UInt64) throws {
        var generator = SQLiteQueryGenerator(seed: seed)
        let library = try SQLiteQueryLibrary()
        generator.fill(library, books: 60)
        try library.save()
        let books = library.objects(of: "Book")
        var selected = 0
        for round in 0..<500 {
            let predicate = generator.predicate(over: library)
            let expected = try books.filter { try predicate.checkedEvaluate(with: $0) }.map(\.key.handle)
            selected += expected.count
            var fetch = library.fetch("Book")
            fetch.predicate = predicate
            let place: Comment = "seed \(seed), round \(round): \(predicate)"
            do {
                let found = try library.keys(fetch).sorted()
                let sql = try library.sql(fetch)
                #expect(found == expected, "\(place) as \(sql)")
                let count = try library.database.read { try library.queries.count(fetch, in: $0) }
                #expect(count == expected.count, place)
            } catch {
                Issue.record(error, place)
            }
        }
        // The generator is no use if nearly everything or nothing is selected.
        #expect((3000...27000).contains(selected), "\(selected)")
    }

    @Test("Sorting, limits and offsets give the same order in SQL as in memory", arguments: UInt64(101)...104)
    func sorting(seed: UInt64) throws {
        var generator = SQLiteQueryGenerator(seed: seed)
        let library = try SQLiteQueryLibrary()
        generator.fill(library, books: 120)
        try library.save()
        let books = library.objects(of: "Book")
        let byHandle = Dictionary(uniqueKeysWithValues: books.map { ($0.key.handle, $0) })
        for round in 0..<150 {
            var fetch = library.fetch("Book")
            if generator.chance(30) { fetch.predicate = generator.predicate(over: library) }
            let descriptors = generator.sortDescriptors()
            fetch.sortDescriptors = descriptors
            fetch.limit = generator.chance(50) ? generator.pick([1, 3, 50, 1000]) : 0
            fetch.offset = generator.chance(30) ? generator.pick([1, 10, 500]) : 0
            let matching = try books.filter { try fetch.predicate?.checkedEvaluate(with: $0) ?? true }
            let sorted = matching.sorted(using: descriptors).dropFirst(fetch.offset)
            let expected = fetch.limit > 0 ? Array(sorted.prefix(fetch.limit)) : Array(sorted)
            let place: Comment =
                "seed \(seed), round \(round): \(fetch.predicate) by \(descriptors) \(fetch.offset) \(fetch.limit)"
            let found = try library.keys(fetch)
            #expect(found.count == expected.count && Set(found).count == found.count, place)
            // Objects that compare as the same may come in any order.
            let isSame = zip(found, expected).allSatisfy { found, expected in
                descriptors.allSatisfy { $0.compare(byHandle[found]!, to: expected) == .orderedSame }
            }
            #expect(isSame, place)
            let count = try library.database.read { try library.queries.count(fetch, in: $0) }
            #expect(count == expected.count, place)
        }
    }
}
