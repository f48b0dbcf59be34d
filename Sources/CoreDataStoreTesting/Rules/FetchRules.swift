import CoreData
import Foundation

extension StoreRule {
    static let fetchRules: [StoreRule] = [
        StoreRule("Predicates find what they find when they are evaluated with the objects themselves") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                for (entity, format) in predicates {
                    let expected = try context.all(entity).filter { NSPredicate(format: format).evaluate(with: $0) }
                    let found = try context.all(entity, format)
                    trial.expectEqual(
                        found.map(\.name).sorted(), expected.map(\.name).sorted(), "\(entity) where \(format)")
                }
            }
        },
        StoreRule("Predicates take objects, IDs, dates, data and collections as arguments") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let ursula = try context.object("Author", "Ursula")
                let born = try trial.require(ursula.value(forKey: "born") as? Date, "date of birth")
                func expect(_ entity: String, _ predicate: NSPredicate, _ names: [String]) throws {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    request.predicate = predicate
                    trial.expectEqual(try context.fetch(request).map(\.name).sorted(), names, "\(predicate)")
                }
                try expect("Book", NSPredicate(format: "author == %@", ursula), ["Rocannon", "Tehanu"])
                try expect("Book", NSPredicate(format: "author == %@", ursula.objectID), ["Rocannon", "Tehanu"])
                try expect("Author", NSPredicate(format: "SELF == %@", ursula), ["Ursula"])
                try expect("Author", NSPredicate(format: "SELF IN %@", [ursula.objectID]), ["Ursula"])
                try expect("Author", NSPredicate(format: "born == %@", born as NSDate), ["Ursula"])
                try expect("Author", NSPredicate(format: "born < %@", born as NSDate), ["Stanisław"])
                try expect("Book", NSPredicate(format: "name IN %@", ["Solaris", "Fiasco"]), ["Fiasco", "Solaris"])
                try expect(
                    "Book", NSPredicate(format: "ANY genres == %@", try context.object("Genre", "Fantasy")),
                    ["Rocannon", "Tehanu"])
            }
        },
        StoreRule("Results come in the order that was asked for") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                func expect(_ entity: String, _ descriptors: [NSSortDescriptor], _ names: [String]) throws {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    request.sortDescriptors = descriptors
                    let order = descriptors.map { "\($0.key ?? "") \($0.ascending ? "up" : "down")" }
                    trial.expectEqual(try context.fetch(request).map(\.name), names, "\(entity) by \(order)")
                }
                func by(_ key: String, _ ascending: Bool = true) -> NSSortDescriptor {
                    NSSortDescriptor(key: key, ascending: ascending)
                }
                try expect("Book", [by("name")], ["Beowulf", "Fiasco", "Kindred", "Rocannon", "Solaris", "Tehanu"])
                try expect(
                    "Book", [by("pages", false)], ["Fiasco", "Tehanu", "Kindred", "Solaris", "Rocannon", "Beowulf"])
                try expect(
                    "Book", [by("author.name"), by("number", false)],
                    ["Beowulf", "Kindred", "Fiasco", "Solaris", "Rocannon", "Tehanu"])
                try expect(
                    "Item", [by("number", false)],
                    ["Solaris (1972)", "Stalker", "Beowulf", "Kindred", "Fiasco", "Solaris", "Rocannon", "Tehanu"])
                try expect("Author", [by("born"), by("name")], ["Octavia", "Stanisław", "Ursula"])
            }
        },
        StoreRule("Limit and offset cut the ordered results") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                for (offset, limit) in [(0, 2), (2, 2), (4, 10), (6, 1), (3, 0)] {
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
                    (request.fetchOffset, request.fetchLimit) = (offset, limit)
                    let all = ["Tehanu", "Rocannon", "Solaris", "Fiasco", "Kindred", "Beowulf"].dropFirst(offset)
                    trial.expectEqual(
                        try context.fetch(request).map(\.name), Array(limit == 0 ? all : all.prefix(limit)),
                        "offset \(offset), limit \(limit)")
                    trial.expectEqual(
                        try context.count(for: request), limit == 0 ? all.count : min(limit, all.count),
                        "the count with offset \(offset), limit \(limit)")
                }
            }
        },
        StoreRule("Subentities are among the results unless they are to be left out") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                trial.expectEqual(try context.fetch(request).count, 8, "items with subentities")
                request.includesSubentities = false
                trial.expectEqual(try context.fetch(request).count, 0, "items of no subentity")
                trial.expectEqual(try context.all("Film").count, 2, "films")
            }
        },
        StoreRule("Fetches see what isn't saved yet, and leave out what is to be deleted") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                context.make("Book", ["name": "New", "number": 100])
                context.delete(try context.object("Book", "Fiasco"))
                try context.object("Book", "Solaris").setValue(1000, forKey: "number")
                let books = try context.all("Book", "number >= 4", sort: "number").map(\.name)
                trial.expectEqual(books, ["Kindred", "Beowulf", "New", "Solaris"], "books with a number of 4 or more")
            }
        },
    ]

    private static let predicates: [(entity: String, format: String)] = [
        ("Book", "pages > 200"), ("Book", "pages BETWEEN {117, 264}"), ("Book", "pages == nil"),
        ("Book", "pages != nil"),
        ("Book", "NOT (pages > 200)"), ("Book", "name == 'Tehanu' OR pages < 200"), ("Book", "name BEGINSWITH 'T'"),
        ("Book", "name ENDSWITH[c] 'S'"), ("Book", "name CONTAINS[cd] 'OLA'"), ("Book", "name LIKE '?ol*'"),
        ("Book", "name MATCHES '[A-K].*'"), ("Book", "author.name == 'Ursula'"), ("Book", "author == nil"),
        ("Book", "author.mentor.name == 'Ursula'"), ("Book", "ANY genres.name == 'Fantasy'"),
        ("Book", "genres.@count == 2"), ("Book", "genres.@count == 0"), ("Book", "number IN {1, 3, 5}"),
        ("Book", "SUBQUERY(genres, $genre, $genre.name BEGINSWITH 'S').@count > 0"), ("Book", "shelf.name == 'Left'"),
        ("Author", "ANY books.pages > 300"), ("Author", "books.@count > 1"), ("Author", "books.@sum.pages > 500"),
        ("Author", "ALL books.pages > 200"), ("Author", "favourites.@count == 2"), ("Author", "pupils.@count > 0"),
        ("Author", "name CONTAINS[d] 'ł'"), ("Author", "name CONTAINS 'l'"), ("Book", "name BEGINSWITH 't'"),
        ("Book", "name == 'TEHANU'"), ("Book", "name ==[c] 'TEHANU'"), ("Book", "name LIKE 'T*'"),
        ("Item", "number IN {2, 4, 6, 8}"), ("Item", "shelf.items.@count >= 2"),
        ("Film", "length > 165"), ("Shelf", "ANY items.name == 'Stalker'"), ("Genre", "NONE books.name == 'Tehanu'"),
        ("Book", "TRUEPREDICATE"), ("Book", "FALSEPREDICATE"),
    ]
}
