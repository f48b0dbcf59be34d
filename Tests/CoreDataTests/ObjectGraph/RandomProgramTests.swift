import CoreData
import Foundation
import Testing

@Suite("Random programs of changes, saves and rollbacks agree with plain dictionaries")
struct RandomProgramTests {
    @Test(
        "After every step both sides of every relationship agree, and every save is what the file holds",
        arguments: 0..<60)
    func program(seed: UInt64) throws {
        try run(seed: seed, in: NSSQLiteStoreType)
    }

    @Test("The same holds for a store in memory", arguments: 1000..<1030)
    func programInMemory(seed: UInt64) throws {
        try run(seed: seed, in: NSInMemoryStoreType)
    }

    @Test(
        "The same holds for XML and binary stores", arguments: [NSXMLStoreType, NSBinaryStoreType],
        2000..<2020 as Range<UInt64>)
    func programInFile(storeType: String, seed: UInt64) throws {
        try run(seed: seed, in: storeType)
    }

    private func run(seed: UInt64, in storeType: String) throws {
        var program = try RandomProgram(seed: seed, storeType: storeType)
        for step in 0..<60 {
            let action = try program.step()
            #expect(try program.differences() == [], "seed \(seed), step \(step): \(action)")
        }
        try program.context.save()
        #expect(try program.differencesInFile() == [], "seed \(seed), at the end")
    }
}

/// One program: objects by number on the one side, a ``GraphModel`` on the other.
private struct RandomProgram {
    let stack: TemporaryStack
    let context: NSManagedObjectContext
    private var generator: SeededGenerator
    private var model = GraphModel()
    private var saved = GraphModel()
    private var objects: [Int: NSManagedObject] = [:]
    private var savedObjects: [Int: NSManagedObject] = [:]
    private var nextID = 1

    init(seed: UInt64, storeType: String) throws {
        stack = try TemporaryStack(storeType: storeType)
        context = stack.context()
        generator = SeededGenerator(seed: seed)
    }

    // MARK: Steps

    mutating func step() throws -> String {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0, 1: return insertAuthor()
        case 2, 3, 4: return insertBook()
        case 5: return insertGenre()
        case 6: return changeTitle()
        case 7, 8: return setAuthor()
        case 9: return setBooks()
        case 10, 11: return toggleGenre()
        case 12: return deleteSomething()
        case 13: return try save()
        case 14: return rollBack()
        default: return refresh()
        }
    }

    private mutating func take() -> Int {
        defer { nextID += 1 }
        return nextID
    }

    private mutating func insertAuthor() -> String {
        let id = take()
        model.authors[id] = "author \(id)"
        objects[id] = context.make("Author", ["name": "author \(id)"])
        return "insert author \(id)"
    }

    private mutating func insertGenre() -> String {
        let id = take()
        model.genres[id] = "genre \(id)"
        objects[id] = context.make("Genre", ["name": "genre \(id)"])
        return "insert genre \(id)"
    }

    private mutating func insertBook() -> String {
        let id = take()
        model.books[id] = GraphModel.Book(title: "book \(id)")
        objects[id] = context.makeBook("book \(id)")
        return "insert book \(id)"
    }

    private mutating func any(_ ids: some Collection<Int>) -> Int? {
        ids.sorted().randomElement(using: &generator)
    }

    private mutating func changeTitle() -> String {
        guard let id = any(model.books.keys) else { return "nothing" }
        let pages = Bool.random(using: &generator) ? Int.random(in: 1...999, using: &generator) : nil
        model.books[id]?.pages = pages
        objects[id]?.setValue(pages, forKey: "pages")
        return "set pages of \(id)"
    }

    private mutating func setAuthor() -> String {
        guard let id = any(model.books.keys) else { return "nothing" }
        let author = Int.random(in: 0..<4, using: &generator) == 0 ? nil : any(model.authors.keys)
        model.books[id]?.author = author
        objects[id]?.setValue(author.flatMap { objects[$0] }, forKey: "author")
        return "author of \(id) = \(String(describing: author))"
    }

    private mutating func setBooks() -> String {
        guard let id = any(model.authors.keys) else { return "nothing" }
        let books = model.books.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
        for book in model.books.keys where model.books[book]?.author == id { model.books[book]?.author = nil }
        for book in books { model.books[book]?.author = id }
        objects[id]?.setValue(Set(books.compactMap { objects[$0] }), forKey: "books")
        return "books of \(id) = \(books)"
    }

    private mutating func toggleGenre() -> String {
        guard let book = any(model.books.keys), let genre = any(model.genres.keys) else { return "nothing" }
        let fromBook = Bool.random(using: &generator)
        let (owner, key, member) = fromBook ? (book, "genres", genre) : (genre, "books", book)
        guard let object = objects[owner], let other = objects[member] else { return "nothing" }
        let set = object.mutableSetValue(forKey: key)
        if model.books[book]?.genres.remove(genre) != nil {
            set.remove(other)
        } else {
            model.books[book]?.genres.insert(genre)
            set.add(other)
        }
        return "toggle genre \(genre) of \(book)"
    }

    private mutating func deleteSomething() -> String {
        let all = Array(model.authors.keys) + Array(model.books.keys) + Array(model.genres.keys)
        guard let id = any(all), let object = objects.removeValue(forKey: id) else { return "nothing" }
        context.delete(object)
        context.processPendingChanges()
        if model.authors[id] != nil {
            model.deleteAuthor(id)
        } else if model.genres[id] != nil {
            model.deleteGenre(id)
        } else {
            model.books[id] = nil
        }
        return "delete \(id)"
    }

    private mutating func save() throws -> String {
        try context.save()
        (saved, savedObjects) = (model, objects)
        return "save"
    }

    private mutating func rollBack() -> String {
        context.rollback()
        (model, objects) = (saved, savedObjects)
        return "roll back"
    }

    private mutating func refresh() -> String {
        context.refreshAllObjects()
        return "refresh"
    }

    // MARK: Comparing

    func differences() throws -> [String] {
        Self.differences(model, of: objects)
    }

    func differencesInFile() throws -> [String] {
        let other = try stack.reopened()
        var found: [Int: NSManagedObject] = [:]
        for entity in ["Author", "Book", "Genre"] {
            for object in try other.all(entity) {
                let name = object.text(entity == "Book" ? "title" : "name") ?? ""
                if let id = name.split(separator: " ").last.flatMap({ Int($0) }) { found[id] = object }
            }
        }
        return Self.differences(model, of: found)
    }

    private static func differences(_ model: GraphModel, of objects: [Int: NSManagedObject]) -> [String] {
        var found: [String] = []
        func check(_ same: Bool, _ text: @autoclosure () -> String) { if !same { found.append(text()) } }
        let known = Set(model.authors.keys).union(model.books.keys).union(model.genres.keys)
        check(Set(objects.keys) == known, "objects \(objects.keys.sorted()) for \(known.sorted())")
        for (id, book) in model.books {
            guard let object = objects[id] else { continue }
            check(object.text("title") == book.title, "title of \(id)")
            check(object.value(forKey: "pages") as? Int == book.pages, "pages of \(id)")
            let author = object.value(forKey: "author") as? NSManagedObject
            check(author === book.author.flatMap { objects[$0] }, "author of \(id)")
            check(object.members("genres") == Set(book.genres.compactMap { objects[$0] }), "genres of \(id)")
        }
        for id in model.authors.keys {
            let expected = Set(model.books(ofAuthor: id).compactMap { objects[$0] })
            if let object = objects[id] { check(object.members("books") == expected, "books of author \(id)") }
        }
        for id in model.genres.keys {
            let expected = Set(model.books(ofGenre: id).compactMap { objects[$0] })
            if let object = objects[id] { check(object.members("books") == expected, "books of genre \(id)") }
        }
        return found
    }
}
