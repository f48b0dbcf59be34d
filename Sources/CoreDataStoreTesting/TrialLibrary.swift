import CoreData
import Foundation

/// A library that the rules begin with.
enum TrialLibrary {
    /// Three authors, six books, two films, three genres, two shelves.
    static func fill(_ context: NSManagedObjectContext) throws {
        let born = Date(timeIntervalSinceReferenceDate: -2_246_400_000.5)
        let ursula = context.make("Author", ["name": "Ursula", "born": born])
        let stanislaw = context.make("Author", ["name": "Stanisław", "born": born.addingTimeInterval(-86400 * 3000)])
        let octavia = context.make("Author", ["name": "Octavia", "mentor": ursula])
        let genres = ["Fantasy", "Science Fiction", "Essay"].map { context.make("Genre", ["name": $0]) }
        let shelves = ["Left", "Right"].map { context.make("Shelf", ["name": $0]) }
        let books: [(String, Int, NSManagedObject?, [Int], Int?)] = [
            ("Tehanu", 281, ursula, [0], 0), ("Rocannon", 117, ursula, [0, 1], 0), ("Solaris", 204, stanislaw, [1], 1),
            ("Fiasco", 322, stanislaw, [1], nil), ("Kindred", 264, octavia, [1], 1), ("Beowulf", 0, nil, [], nil),
        ]
        for (number, (name, pages, author, themes, shelf)) in books.enumerated() {
            let book = context.make("Book", ["name": name, "number": number + 1])
            if pages > 0 { book.setValue(pages, forKey: "pages") }
            book.setValue(author, forKey: "author")
            book.setValue(Set(themes.map { genres[$0] }), forKey: "genres")
            book.setValue(shelf.map { shelves[$0] }, forKey: "shelf")
        }
        context.make("Film", ["name": "Stalker", "number": 7, "length": 161.5, "shelf": shelves[0]])
        context.make("Film", ["name": "Solaris (1972)", "number": 8, "length": 167.25])
        let tehanu = try context.object("Book", "Tehanu")
        let chapters = ["A Bad Thing", "Going to the Falcon's Nest", "Ogion"].map {
            context.make("Chapter", ["name": $0])
        }
        tehanu.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
        let favourites = try ["Solaris", "Kindred", "Tehanu"].map { try context.object("Book", $0) }
        ursula.setValue(NSOrderedSet(array: favourites), forKey: "favourites")
        octavia.setValue(NSOrderedSet(array: [favourites[2], favourites[0]]), forKey: "favourites")
        try context.save()
    }

    /// A store with the library, and a context that has seen nothing yet.
    static func stack(in trial: StoreTrial) throws -> TrialStack {
        let stack = try trial.open()
        try stack.inNewContext { try fill($0) }
        return stack
    }

    /// Everything that a context's stores hold, a line an object, without identities: two stores with equal contents give
    /// the same lines.
    static func lines(_ context: NSManagedObjectContext) throws -> [String] {
        let model = context.persistentStoreCoordinator?.managedObjectModel
        var lines: [String] = []
        for entity in model?.entities ?? [] where entity.superentity == nil {
            for object in try context.all(entity.name ?? "") { lines.append(line(object)) }
        }
        return lines.sorted()
    }

    private static func line(_ object: NSManagedObject) -> String {
        var parts: [String] = []
        for property in object.entity.propertiesByName.values.sorted(by: { $0.name < $1.name })
        where !property.isTransient {
            if property is NSRelationshipDescription {
                parts.append("\(property.name)=\(object.names(property.name))")
            } else if let value = object.value(forKey: property.name) {
                parts.append("\(property.name)=\(SampleValue.text(value))")
            }
        }
        return "\(object.entity.name ?? "?") " + parts.joined(separator: " ")
    }
}
