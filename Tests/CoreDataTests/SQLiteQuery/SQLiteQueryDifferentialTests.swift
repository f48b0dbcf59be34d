import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSPredicate

@testable import CoreData

@Suite("SQL and memory say the same")
struct SQLiteQueryDifferentialTests {
    @Test("A predicate selects the same rows in SQL as objects in memory", arguments: UInt64(1)...8)
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
}
