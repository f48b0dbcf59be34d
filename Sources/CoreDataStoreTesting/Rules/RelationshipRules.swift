import CoreData
import Foundation

extension StoreRule {
    static let relationshipRules: [StoreRule] = [
        StoreRule("Relationships to one and to many lead to the same objects when they are read again") { trial in
            try trial.reopened(TrialLibrary.stack(in: trial)) { context in
                let tehanu = try context.object("Book", "Tehanu")
                trial.expectEqual(tehanu.names("author"), ["Ursula"], "Tehanu's author")
                trial.expectEqual(tehanu.names("shelf"), ["Left"], "Tehanu's shelf")
                trial.expectEqual(
                    try context.object("Author", "Ursula").names("books"), ["Rocannon", "Tehanu"], "Ursula's books")
                trial.expectEqual(
                    try context.object("Genre", "Fantasy").names("books"), ["Rocannon", "Tehanu"], "books of fantasy")
                trial.expectEqual(
                    try context.object("Book", "Rocannon").names("genres"), ["Fantasy", "Science Fiction"],
                    "Rocannon's genres")
                trial.expectEqual(try context.object("Genre", "Essay").names("books"), [], "books of essays")
                trial.expectEqual(try context.object("Author", "Octavia").names("mentor"), ["Ursula"], "the mentor")
                trial.expectEqual(try context.object("Author", "Ursula").names("pupils"), ["Octavia"], "the pupils")
                let author = tehanu.value(forKey: "author") as? NSManagedObject
                let books = author?.value(forKey: "books") as? Set<NSManagedObject>
                trial.expect(
                    books?.contains(tehanu) == true, "the author's books should have the book that led to them")
            }
        },
        StoreRule("Ordered relationships keep their order") { trial in
            try trial.reopened(TrialLibrary.stack(in: trial)) { context in
                trial.expectEqual(
                    try context.object("Book", "Tehanu").names("chapters"),
                    ["A Bad Thing", "Going to the Falcon's Nest", "Ogion"], "chapters")
                trial.expectEqual(
                    try context.object("Author", "Ursula").names("favourites"), ["Solaris", "Kindred", "Tehanu"],
                    "Ursula's favourites")
                trial.expectEqual(
                    try context.object("Author", "Octavia").names("favourites"), ["Tehanu", "Solaris"],
                    "Octavia's favourites")
                trial.expectEqual(
                    try context.object("Book", "Solaris").names("admirers"), ["Octavia", "Ursula"], "Solaris's admirers"
                )
            }
        },
        StoreRule("A relationship to a superentity leads to objects of its subentities") { trial in
            try trial.reopened(TrialLibrary.stack(in: trial)) { context in
                let left = try context.object("Shelf", "Left")
                trial.expectEqual(left.names("items"), ["Rocannon", "Stalker", "Tehanu"], "what is on the left shelf")
                let kinds = (left.value(forKey: "items") as? Set<NSManagedObject> ?? []).map { $0.entity.name ?? "?" }
                trial.expectEqual(
                    kinds.sorted(), ["Book", "Book", "Film"], "the entities of what is on the left shelf")
            }
        },
        StoreRule("Changed relationships are as they were left: moved, added, removed, reordered, emptied") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            try stack.run { context in
                let (tehanu, solaris) = (try context.object("Book", "Tehanu"), try context.object("Book", "Solaris"))
                let (ursula, octavia) = (
                    try context.object("Author", "Ursula"), try context.object("Author", "Octavia")
                )
                tehanu.setValue(octavia, forKey: "author")
                solaris.setValue(nil, forKey: "shelf")
                let genres = try ["Essay", "Science Fiction"].map { try context.object("Genre", $0) }
                tehanu.setValue(Set(genres), forKey: "genres")
                try context.object("Book", "Rocannon").setValue(Set<NSManagedObject>(), forKey: "genres")
                let favourites = ursula.value(forKey: "favourites") as? NSOrderedSet ?? NSOrderedSet()
                ursula.setValue(NSOrderedSet(array: favourites.array.reversed().dropLast()), forKey: "favourites")
                let chapters = tehanu.value(forKey: "chapters") as? NSOrderedSet ?? NSOrderedSet()
                let new = context.make("Chapter", ["name": "Finding Words"])
                tehanu.setValue(NSOrderedSet(array: [new] + chapters.array.reversed()), forKey: "chapters")
                ursula.setValue(octavia, forKey: "mentor")
                octavia.setValue(nil, forKey: "mentor")
                try context.save()
            }
            try trial.reopened(stack) { context in
                let found = [
                    "author": try context.object("Book", "Tehanu").names("author"),
                    "books": try context.object("Author", "Ursula").names("books"),
                    "shelf": try context.object("Book", "Solaris").names("shelf"),
                    "items": try context.object("Shelf", "Right").names("items"),
                    "genres": try context.object("Book", "Tehanu").names("genres"),
                    "fantasy": try context.object("Genre", "Fantasy").names("books"),
                    "favourites": try context.object("Author", "Ursula").names("favourites"),
                    "chapters": try context.object("Book", "Tehanu").names("chapters"),
                    "pupils": try context.object("Author", "Octavia").names("pupils"),
                ]
                let expected = [
                    "author": ["Octavia"], "books": ["Rocannon"], "shelf": [], "items": ["Kindred"],
                    "genres": ["Essay", "Science Fiction"], "fantasy": [], "favourites": ["Tehanu", "Kindred"],
                    "chapters": ["Finding Words", "Ogion", "Going to the Falcon's Nest", "A Bad Thing"],
                    "pupils": ["Ursula"],
                ]
                for (what, names) in expected.sorted(by: { $0.key < $1.key }) {
                    trial.expectEqual(found[what] ?? [], names, what)
                }
            }
        },
        StoreRule("Objects that lead to each other can be saved at once") { trial in
            let stack = try trial.open()
            try stack.run { context in
                let (one, two) = (context.make("Author", ["name": "One"]), context.make("Author", ["name": "Two"]))
                one.setValue(two, forKey: "mentor")
                two.setValue(one, forKey: "mentor")
                context.make("Author", ["name": "Self"]).setValue(
                    try context.object("Author", "Self"), forKey: "mentor")
                try context.save()
            }
            try trial.reopened(stack) { context in
                for (name, mentor) in [("One", "Two"), ("Two", "One"), ("Self", "Self")] {
                    trial.expectEqual(try context.object("Author", name).names("mentor"), [mentor], "\(name)'s mentor")
                    trial.expectEqual(try context.object("Author", name).names("pupils"), [mentor], "\(name)'s pupils")
                }
            }
        },
        StoreRule("A deleted object is gone, from relationships too, and with what it owns") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            try stack.run { context in
                context.delete(try context.object("Book", "Tehanu"))
                context.delete(try context.object("Genre", "Science Fiction"))
                try context.save()
            }
            try trial.reopened(stack) { context in
                trial.expectEqual(try context.all("Book", "name == 'Tehanu'").count, 0, "books that were deleted")
                trial.expectEqual(try context.all("Chapter").count, 0, "chapters, which go with their book")
                trial.expectEqual(try context.object("Author", "Ursula").names("books"), ["Rocannon"], "Ursula's books")
                trial.expectEqual(
                    try context.object("Author", "Ursula").names("favourites"), ["Solaris", "Kindred"], "her favourites"
                )
                trial.expectEqual(try context.object("Book", "Rocannon").names("genres"), ["Fantasy"], "its genres")
                trial.expectEqual(try context.object("Book", "Solaris").names("genres"), [], "Solaris's genres")
            }
        },
    ]
}
