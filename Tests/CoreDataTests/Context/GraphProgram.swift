import CoreData
import Foundation

/// What programs over several contexts have in common: random numbers, and the numbers of objects.
final class ProgramSource {
    var generator: SeededGenerator
    private var lastNumber = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// One program: objects by number on the one side, a ``GraphModel`` on the other.
final class GraphProgram {
    let context: NSManagedObjectContext
    private let source: ProgramSource
    private(set) var model = GraphModel()
    private(set) var objects: [Int: NSManagedObject] = [:]
    /// The state that a rollback goes back to.
    private var saved: State = (GraphModel(), [:])

    /// The state before each step that can be undone, and after each that can be redone.
    private var undoable: [State] = []
    private var redoable: [State] = []
    private let manager: UndoManager?

    typealias State = (model: GraphModel, objects: [Int: NSManagedObject])

    init(_ context: NSManagedObjectContext, _ source: ProgramSource, undoes: Bool) {
        self.context = context
        self.source = source
        manager = undoes ? UndoManager() : nil
        manager?.groupsByEvent = false
        context.undoManager = manager
    }

    /// Goes on from what another context has.
    ///
    /// - Parameter isSaved: whether that is what a rollback goes back to.
    func adopt(_ other: GraphProgram, isSaved: Bool) {
        model = other.model
        objects = other.objects.mapValues { context.object(with: $0.objectID) }
        if isSaved { saved = (model, objects) }
        forgetSteps()
    }

    private func forgetSteps() {
        (undoable, redoable) = ([], [])
        manager?.removeAllActions()
    }

    // MARK: Steps

    func step() throws -> String {
        guard let manager else { return try change(Int.random(in: 0..<16, using: &source.generator)) }
        let choice = Int.random(in: 0..<20, using: &source.generator)
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

    private func undo() -> String {
        guard let state = undoable.popLast() else { return "nothing to undo" }
        redoable.append((model, objects))
        context.undo()
        (model, objects) = state
        return "undo"
    }

    private func redo() -> String {
        guard let state = redoable.popLast(), manager?.canRedo == true else { return "nothing to redo" }
        undoable.append((model, objects))
        context.redo()
        (model, objects) = state
        return "redo"
    }

    private func change(_ choice: Int) throws -> String {
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

    private func take() -> Int { source.nextNumber() }

    private func insertAuthor() -> String {
        let id = take()
        model.authors[id] = "author \(id)"
        objects[id] = context.make("Author", ["name": "author \(id)"])
        return "insert author \(id)"
    }

    private func insertGenre() -> String {
        let id = take()
        model.genres[id] = "genre \(id)"
        objects[id] = context.make("Genre", ["name": "genre \(id)"])
        return "insert genre \(id)"
    }

    private func insertBook() -> String {
        let id = take()
        model.books[id] = GraphModel.Book(title: "book \(id)")
        objects[id] = context.makeBook("book \(id)")
        return "insert book \(id)"
    }

    private func any(_ ids: some Collection<Int>) -> Int? {
        ids.sorted().randomElement(using: &source.generator)
    }

    private func changeTitle() -> String {
        guard let id = any(model.books.keys) else { return "nothing" }
        let pages = Bool.random(using: &source.generator) ? Int.random(in: 1...999, using: &source.generator) : nil
        model.books[id]?.pages = pages
        objects[id]?.setValue(pages, forKey: "pages")
        return "set pages of \(id)"
    }

    private func setAuthor() -> String {
        guard let id = any(model.books.keys) else { return "nothing" }
        let author = Int.random(in: 0..<4, using: &source.generator) == 0 ? nil : any(model.authors.keys)
        model.books[id]?.author = author
        objects[id]?.setValue(author.flatMap { objects[$0] }, forKey: "author")
        return "author of \(id) = \(String(describing: author))"
    }

    private func setBooks() -> String {
        guard let id = any(model.authors.keys) else { return "nothing" }
        let books = model.books.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &source.generator) == 0 }
        for book in model.books.keys where model.books[book]?.author == id { model.books[book]?.author = nil }
        for book in books { model.books[book]?.author = id }
        objects[id]?.setValue(Set(books.compactMap { objects[$0] }), forKey: "books")
        return "books of \(id) = \(books)"
    }

    private func toggleGenre() -> String {
        guard let book = any(model.books.keys), let genre = any(model.genres.keys) else { return "nothing" }
        let fromBook = Bool.random(using: &source.generator)
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

    private func deleteSomething() -> String {
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

    @discardableResult
    func save() throws -> String {
        try context.save()
        saved = (model, objects)
        return "save"
    }

    @discardableResult
    func rollBack() -> String {
        context.rollback()
        (model, objects) = saved
        forgetSteps()
        return "roll back"
    }

    private func refresh() -> String {
        context.refreshAllObjects()
        return "refresh"
    }

    // MARK: Comparing

    func differences() throws -> [String] {
        Self.differences(model, of: objects)
    }

    /// Compares the model with what a context finds by fetching.
    func differences(in other: NSManagedObjectContext) throws -> [String] {
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
