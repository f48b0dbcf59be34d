import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@Suite("Swift's predicates and sort descriptors are fetched by")
struct SwiftPredicateTests {
    final class Piece: NSManagedObject, @unchecked Sendable {
        var title: String { value(forKey: "title") as? String ?? "" }
        var kind: String? { value(forKey: "kind") as? String }
        var words: Int { value(forKey: "words") as? Int ?? 0 }
        var published: Date? { value(forKey: "published") as? Date }
        var isDraft: Bool { value(forKey: "isDraft") as? Bool ?? false }
        var author: Writer? { value(forKey: "author") as? Writer }
        var tags: Set<Label> { value(forKey: "tags") as? Set<Label> ?? [] }
        var unnamed: Int { 0 }
    }
    final class Writer: NSManagedObject, @unchecked Sendable {
        var name: String? { value(forKey: "name") as? String }
    }
    final class Label: NSManagedObject, @unchecked Sendable {
        var label: String { value(forKey: "label") as? String ?? "" }
    }

    init() {
        KeyPathNames.register([
            \Piece.title: "title", \Piece.kind: "kind", \Piece.words: "words", \EssayPiece.words: "words",
            \EssayPiece.topic: "topic", \Piece.published: "published", \Piece.isDraft: "isDraft",
            \Piece.author: "author", \Piece.tags: "tags", \Writer.name: "name", \Label.label: "label",
        ])
    }

    private func check(_ rows: [(predicate: Predicate<Piece>, initials: String)]) throws {
        let stores = try ArticleStores()
        for row in rows {
            let predicate = try NSPredicate.converting(row.predicate)
            #expect(try stores.initials(predicate) == ArticleStores.all(row.initials), "\(predicate)")
        }
    }

    @Test("Strings, without regard to case and by language")
    func strings() throws {
        let same = ComparisonResult.orderedSame
        let ascending = ComparisonResult.orderedAscending
        try check([
            (#Predicate { $0.title.localizedStandardContains("gam") }, "g"),
            (#Predicate { $0.title.caseInsensitiveCompare("ALPHA") == same }, "a"),
            (#Predicate { $0.title.caseInsensitiveCompare("BETA") == ascending }, "a"),
            (#Predicate { $0.title.localizedCompare("beta") == same }, "b"),
            (#Predicate { $0.title.isEmpty }, ""), (#Predicate { $0.title.count > 5 }, "e"),
            (#Predicate { $0.title.starts(with: "A") }, "a"), (#Predicate { $0.title.contains("eta") }, "b"),
        ])
    }

    @Test("Ranges and dates")
    func ranges() throws {
        let closed = 100...200
        let open = 100..<200
        let from = 200...
        let below = ..<200
        let days = ArticleStores.firstDay...ArticleStores.firstDay.addingTimeInterval(90000)
        let late = ArticleStores.firstDay.addingTimeInterval(1000)
        try check([
            (#Predicate { (100...200).contains($0.words) }, "ab"), (#Predicate { closed.contains($0.words) }, "ab"),
            (#Predicate { open.contains($0.words) }, "a"), (#Predicate { from.contains($0.words) }, "bdg"),
            (#Predicate { below.contains($0.words) }, "ae"),
            (#Predicate { $0.published != nil && days.contains($0.published!) }, "ab"),
            (#Predicate { ($0.published ?? late) > late }, "bg"), (#Predicate { $0.published! > late }, "bg"),
        ])
    }

    @Test("Optional chains, with and without a value at their end")
    func chains() throws {
        try check([
            (#Predicate { $0.author?.name == "Ann" }, "ab"),
            (#Predicate { if let author = $0.author { author.name == "Ann" } else { false } }, "ab"),
            (#Predicate { $0.kind?.contains("ew") == true }, "ab"),
            (#Predicate { $0.kind?.contains("ew") == false }, "deg"),
            (#Predicate { $0.kind?.localizedStandardContains("EW") ?? false }, "ab"),
            (#Predicate { $0.author?.name?.contains("n") ?? true }, "abd"),
        ])
    }

    @Test("Collections, arithmetic and casts")
    func others() throws {
        let names = ["Alpha", "beta"]
        try check([
            (#Predicate { names.contains($0.title) }, "ab"), (#Predicate { $0.tags.isEmpty }, "dg"),
            (#Predicate { $0.tags.contains { $0.label == "swift" } }, "ab"),
            (#Predicate { $0.tags.allSatisfy { $0.label == "swift" } }, "bdg"),
            (#Predicate { $0.tags.filter { $0.label == "swift" }.count == 1 }, "ab"),
            (#Predicate { $0.words % 100 == 50 }, "e"), (#Predicate { ($0.isDraft ? 1 : 0) == 1 }, "bd"),
        ])
    }

    /// A class whose entity is known without a loaded model.
    final class EssayPiece: NSManagedObject, @unchecked Sendable {
        var words: Int { value(forKey: "words") as? Int ?? 0 }
        var topic: String? { value(forKey: "topic") as? String }
        override class func entity() -> NSEntityDescription {
            ArticleStores.makeModel().entitiesByName["Essay"] ?? NSEntityDescription()
        }
    }

    @Test("Casts, and classes that have an entity")
    func classes() throws {
        let rows: [(Predicate<NSManagedObject>, String)] = [
            (#Predicate { ($0 as! Piece).words == 200 }, "b"),
            (#Predicate { ($0 as? EssayPiece) != nil }, "e"), (#Predicate { ($0 as? EssayPiece) == nil }, "abdg"),
            (#Predicate { ($0 as? EssayPiece)?.words != nil }, "e"),
            (#Predicate { ($0 as? EssayPiece)?.words == nil }, "abdg"),
            // What only the class of the cast has.
            (#Predicate { ($0 as? EssayPiece)?.topic == "t" }, "e"),
            (#Predicate { ($0 as? EssayPiece)?.topic != "t" }, "abdg"),
            (#Predicate { ($0 as? EssayPiece)?.topic == nil }, "abdg"),
            (#Predicate { $0 is EssayPiece }, "e"), (#Predicate { !($0 is EssayPiece) }, "abdg"),
        ]
        let stores = try ArticleStores()
        for (predicate, initials) in rows {
            let converted = try NSPredicate.converting(predicate)
            #expect(try stores.initials(converted) == ArticleStores.all(initials), "\(converted)")
        }
    }

    @Test("What has no classic form is an error that names it")
    func unconvertible() {
        let error = #expect(throws: (any Error).self) {
            try NSPredicate.converting(#Predicate<Piece> { $0.unnamed == 1 })
        }
        #expect(error.map { $0.localizedDescription.contains("Piece.") } == true, "\(String(describing: error))")
        #expect(NSPredicate(#Predicate<Piece> { $0.unnamed == 1 }) == nil)
    }

    @Test("Sort descriptors of Swift, with every comparator and in both directions")
    func descriptors() throws {
        let rows: [(SortDescriptor<Piece>, String)] = [
            (SortDescriptor(\.title), "abdeg"), (SortDescriptor(\.title, order: .reverse), "gedba"),
            (SortDescriptor(\.title, comparator: .localizedStandard), "abdeg"),
            (SortDescriptor(\.title, comparator: .localized, order: .reverse), "gedba"),
            (SortDescriptor(\.title, comparator: .lexical), "aegbd"), (SortDescriptor(\.words), "eabdg"),
            (SortDescriptor(\.isDraft), "aegbd"), (SortDescriptor(\.published, order: .reverse), "gbade"),
            (SortDescriptor(\.kind, comparator: .localizedStandard), "dgeab"),
        ]
        let stores = try ArticleStores()
        for (descriptor, expected) in rows {
            let answers = try stores.answers { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Article")
                request.sortDescriptors = [
                    NSSortDescriptor(descriptor), NSSortDescriptor(SortDescriptor(\Piece.title)),
                ]
                return String(
                    try context.fetch(request).compactMap { ($0.value(forKey: "title") as? String)?.lowercased().first }
                )
            }
            #expect(answers == ArticleStores.all(expected), "\(descriptor)")
        }
    }

    @Test("Arrays are sorted by language too")
    func arrays() {
        struct Name { var text: String? }
        let names = ["b10", "B9", "ä", nil].map { Name(text: $0) }
        let sorted = names.sorted(using: SortDescriptor(\Name.text, comparator: .localizedStandard))
        #expect(sorted.map { $0.text ?? "-" } == ["-", "ä", "B9", "b10"])
        #expect(["b10", "a", "B9"].sorted(using: .localizedStandard) == ["a", "B9", "b10"])
    }

    @Test("A descriptor without a name for its key path is an error, not an order of its own")
    func withoutName() throws {
        let stores = try ArticleStores([NSSQLiteStoreType])
        #expect(throws: (any Error).self) {
            try stores.answers { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Article")
                request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Piece.unnamed))]
                _ = try context.fetch(request)
            }
        }
    }
}
