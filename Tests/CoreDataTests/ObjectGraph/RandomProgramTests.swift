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

    @Test("The same holds when steps are undone and redone, across saves too", arguments: 3000..<3060)
    func programWithUndo(seed: UInt64) throws {
        try run(seed: seed, in: NSSQLiteStoreType, undoes: true)
    }

    private func run(seed: UInt64, in storeType: String, undoes: Bool = false) throws {
        var program = try RandomProgram(seed: seed, storeType: storeType, undoes: undoes)
        var actions: [String] = []
        for step in 0..<60 {
            let action = try program.step()
            actions.append(action)
            let differences = try program.differences()
            try #require(differences == [], "seed \(seed), step \(step): \(differences) after \(actions)")
        }
        try program.context.save()
        let differences = try program.differencesInFile()
        #expect(differences == [], "seed \(seed), at the end: \(differences) after \(actions)")
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

    /// The state before each step that can be undone, and after each that can be redone.
    private var undoable: [State] = []
    private var redoable: [State] = []
    private let manager: UndoManager?

    private typealias State = (model: GraphModel, objects: [Int: NSManagedObject])

    init(seed: UInt64, storeType: String, undoes: Bool) throws {
        stack = try TemporaryStack(storeType: storeType)
        context = stack.context()
        manager = undoes ? UndoManager() : nil
        manager?.groupsByEvent = false
        context.undoManager = manager
        generator = SeededGenerator(seed: seed)
    }

    // MARK: Steps

    mutating func step() throws -> String {
        guard let manager else { return try change(Int.random(in: 0..<16, using: &generator)) }
        let choice = Int.random(in: 0..<20, using: &generator)
        switch choice {
        case 13...15: return try change(choice)
        case 16, 17: return undo()
        case 18, 19: return redo()
        default: break
        }
        let before: State = (model, objects)
        manager.beginUndoGrouping()
        var action = try change(choice)
        // An empty group says nothing about undoing.
        if action == "nothing" { action = insertAuthor() }
        context.processPendingChanges()
        manager.endUndoGrouping()
        undoable.append(before)
        redoable = []
        return action
    }

    private mutating func undo() -> String {
        guard let state = undoable.popLast() else { return "nothing to undo" }
        redoable.append((model, objects))
        context.undo()
        (model, objects) = state
        return "undo"
    }

    private mutating func redo() -> String {
        guard let state = redoable.popLast(), manager?.canRedo == true else { return "nothing to redo" }
        undoable.append((model, objects))
        context.redo()
        (model, objects) = state
        return "redo"
    }

    private mutating func change(_ choice: Int) throws -> String {
        switch choice {
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
        (undoable, redoable) = ([], [])
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
