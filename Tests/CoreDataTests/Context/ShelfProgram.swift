import CoreData
import Foundation

/// One context of a program: its objects by number, what they are to hold, and what they held when the context last took over
/// what others have saved.
final class ShelfProgram {
    let context: NSManagedObjectContext
    let name: String
    private let source: ProgramSource
    private(set) var state = ShelfState()
    private(set) var base = ShelfState()
    private(set) var objects: [Int: NSManagedObject] = [:]
    /// Those of `base`, whatever has become of them.
    private var baseObjects: [Int: NSManagedObject] = [:]

    init(_ name: String, _ context: NSManagedObjectContext, _ source: ProgramSource) {
        self.name = name
        self.context = context
        self.source = source
    }

    // MARK: Others

    /// Takes note that the context has laid its changes over what another one has.
    func rebase(to other: ShelfProgram, isSaved: Bool = true) -> Set<Int> {
        let theirs = isSaved ? other.base : other.state
        let (merged, open) = state.rebased(from: base, to: theirs)
        state = merged
        base = theirs
        baseObjects = other.objects.mapValues { context.object(with: $0.objectID) }
        for id in objects.keys where state.entities[id] == nil { objects[id] = nil }
        for id in state.entities.keys where objects[id] == nil {
            objects[id] = other.objects[id].map { context.object(with: $0.objectID) }
        }
        return open
    }

    /// Whether something has gone that this context has seen.
    func misses(in other: ShelfProgram) -> Bool { base.entities.keys.contains { other.state.entities[$0] == nil } }

    /// What was saved by a child.
    func takeOver(_ child: ShelfProgram) {
        state = child.state
        for id in objects.keys where state.entities[id] == nil { objects[id] = nil }
        for id in state.entities.keys where objects[id] == nil {
            objects[id] = child.objects[id].map { context.object(with: $0.objectID) }
        }
    }

    func didSave() {
        base = state
        baseObjects = objects
    }

    func rollBack() {
        context.rollback()
        state = base
        objects = baseObjects
    }

    /// Goes on with objects of its own for all that another one has.
    func startAnew(from other: ShelfProgram) {
        context.rollback()
        context.refreshAllObjects()
        state = other.state
        base = other.state
        objects = other.objects.mapValues { context.object(with: $0.objectID) }
        baseObjects = objects
    }

    // MARK: Steps

    private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &source.generator) }
    private func any(_ entity: String) -> Int? { state.all(entity).randomElement(using: &source.generator) }
    private func object(_ id: Int?) -> NSManagedObject? { id.flatMap { objects[$0] } }

    func step() -> String {
        switch random(0..<22) {
        case 0: return insert("Author")
        case 1, 2, 3: return insert("Book")
        case 4: return insert("Shelf")
        case 5: return insert("Genre")
        case 6: return insert("Cover")
        case 7: return setPages()
        case 8, 9: return setDestination("author", "Author", \.author)
        case 10, 11: return setDestination("shelf", "Shelf", \.shelf)
        case 12, 13: return setCover()
        case 14, 15, 16: return toggleGenre()
        case 17: return moveBook()
        case 18: return setBooks()
        case 19: return delete()
        case 20: return random(0..<2) == 0 ? refresh() : drop()
        default: return setBack()
        }
    }

    private func insert(_ entity: String) -> String {
        let id = source.nextNumber()
        state.entities[id] = entity
        state.arrange(id)
        if entity != "Shelf", entity != "Genre" { state.order[id] = nil }
        objects[id] = context.make(entity, ["name": "\(entity) \(id)"])
        return "insert \(entity) \(id)"
    }

    private func setPages() -> String {
        guard let book = any("Book") else { return "nothing" }
        let pages = random(0..<3) == 0 ? nil : random(1..<1000)
        state.pages[book] = pages
        objects[book]?.setValue(pages, forKey: "pages")
        return "pages of \(book) = \(String(describing: pages))"
    }

    private func setDestination(_ key: String, _ entity: String, _ links: WritableKeyPath<ShelfState, [Int: Int]>)
        -> String
    {
        guard let book = any("Book") else { return "nothing" }
        let owner = random(0..<4) == 0 ? nil : any(entity)
        let before = state[keyPath: links][book]
        state[keyPath: links][book] = owner
        objects[book]?.setValue(object(owner), forKey: key)
        if key == "shelf" { for owner in [before, owner].compactMap({ $0 }) { state.arrange(owner) } }
        return "\(key) of \(book) = \(String(describing: owner))"
    }

    private func setCover() -> String {
        guard let book = any("Book") else { return "nothing" }
        let cover = random(0..<4) == 0 ? nil : any("Cover")
        for (other, value) in state.cover where value == cover { state.cover[other] = nil }
        state.cover[book] = cover
        if let cover, random(0..<2) == 0 {
            objects[cover]?.setValue(objects[book], forKey: "book")
        } else {
            objects[book]?.setValue(object(cover), forKey: "cover")
        }
        return "cover of \(book) = \(String(describing: cover))"
    }

    private func toggleGenre() -> String {
        guard let book = any("Book"), let genre = any("Genre"), let one = objects[book], let other = objects[genre]
        else {
            return "nothing"
        }
        let pair = ShelfState.Pair(book: book, genre: genre)
        let isRemoved = state.genres.remove(pair) != nil
        if !isRemoved { state.genres.insert(pair) }
        state.arrange(genre)
        if random(0..<2) == 0 {
            let set = one.mutableSetValue(forKey: "genres")
            if isRemoved { set.remove(other) } else { set.add(other) }
        } else {
            let set = other.mutableOrderedSetValue(forKey: "books")
            if isRemoved { set.remove(one) } else { set.add(one) }
        }
        return "\(isRemoved ? "remove" : "add") genre \(genre) of \(book)"
    }

    private func moveBook() -> String {
        guard let owner = random(0..<2) == 0 ? any("Shelf") : any("Genre"), var books = state.order[owner],
            books.count > 1
        else { return "nothing" }
        books.insert(books.remove(at: random(0..<books.count)), at: random(0..<books.count))
        state.order[owner] = books
        objects[owner]?.setValue(NSOrderedSet(array: books.compactMap { objects[$0] }), forKey: "books")
        return "order of \(owner) = \(books)"
    }

    private func setBooks() -> String {
        guard let author = any("Author") else { return "nothing" }
        let books = state.all("Book").filter { _ in random(0..<3) == 0 }
        for book in state.members(of: author) { state.author[book] = nil }
        for book in books { state.author[book] = author }
        objects[author]?.setValue(Set(books.compactMap { objects[$0] }), forKey: "books")
        return "books of \(author) = \(books)"
    }

    private func delete() -> String {
        guard let id = state.entities.keys.sorted().randomElement(using: &source.generator),
            let object = objects.removeValue(forKey: id)
        else { return "nothing" }
        state.delete(id)
        context.delete(object)
        context.processPendingChanges()
        return "delete \(id)"
    }

    /// Owners whose order is open until it is looked at next.
    private var dropped: Set<Int> = []

    private func refresh() -> String {
        guard random(0..<2) == 0, let id = state.entities.keys.sorted().randomElement(using: &source.generator) else {
            context.refreshAllObjects()
            return "refresh all"
        }
        if let object = objects[id] { context.refresh(object, mergeChanges: true) }
        return "refresh \(id)"
    }

    /// Drops one object's changes, with what they did to others.
    private func drop() -> String {
        guard
            let id = base.entities.keys.filter({ state.entities[$0] != nil }).sorted().randomElement(
                using: &source.generator),
            let object = objects[id]
        else { return "nothing" }
        let before = state
        func isThere(_ id: Int?) -> Bool { id.map { state.entities[$0] != nil } ?? false }
        func goBack(_ book: Int, _ links: WritableKeyPath<ShelfState, [Int: Int]>) {
            let owner = base[keyPath: links][book]
            state[keyPath: links][book] = isThere(owner) ? owner : nil
        }
        func goBack(_ links: WritableKeyPath<ShelfState, [Int: Int]>) {
            for book in state.all("Book") {
                let (now, saved) = (state[keyPath: links][book] == id, base[keyPath: links][book] == id)
                if now != saved { goBack(book, links) }
            }
        }
        switch state.entities[id] {
        case "Book":
            state.pages[id] = base.pages[id]
            goBack(id, \.author)
            goBack(id, \.shelf)
            dropCover(of: id)
            state.genres = state.genres.filter { $0.book != id }
                .union(base.genres.filter { $0.book == id && isThere($0.genre) })
        case "Author": goBack(\.author)
        case "Shelf": goBack(\.shelf)
        case "Genre":
            state.genres = state.genres.filter { $0.genre != id }
                .union(base.genres.filter { $0.genre == id && isThere($0.book) })
        default:
            // Covers and their books go together.
            return "nothing"
        }
        for owner in state.all("Shelf") + state.all("Genre") {
            state.arrange(owner)
            if owner == id || state.members(of: owner) != before.members(of: owner) { dropped.insert(owner) }
        }
        context.refresh(object, mergeChanges: false)
        return "drop changes of \(id)"
    }

    private func dropCover(of book: Int) {
        guard state.cover[book] != base.cover[book] else { return }
        let cover = base.cover[book].flatMap { state.entities[$0] == nil ? nil : $0 }
        for (other, value) in state.cover where value == cover { state.cover[other] = nil }
        let taken = state.cover[book]
        state.cover[book] = cover
        // What was taken from another book goes back to it.
        if let taken, let owner = base.cover.first(where: { $0.value == taken })?.key, owner != book,
            state.entities[owner] != nil, state.cover[owner] == nil
        {
            state.cover[owner] = taken
        }
    }

    /// Changes that leave things as they were.
    private func setBack() -> String {
        guard let genre = any("Genre"), let object = objects[genre] else { return "nothing" }
        let books = object.value(forKey: "books") as? NSOrderedSet ?? []
        object.setValue(NSOrderedSet(), forKey: "books")
        object.setValue(books, forKey: "books")
        return "take out and put back the books of \(genre)"
    }

    // MARK: Comparing

    /// - Parameter open: owners whose order is taken over as it is.
    func differences(open: Set<Int> = []) -> [String] {
        context.processPendingChanges()
        var found = compare(objects, open.union(dropped))
        dropped = []
        #if DEBUG
            found += context.checkInvariants()
        #endif
        return found.map { "\(name): \($0)" }
    }

    /// Compares with what a context of another stack finds.
    func differences(in other: NSManagedObjectContext) throws -> [String] {
        var found: [Int: NSManagedObject] = [:]
        for entity in ["Author", "Book", "Shelf", "Genre", "Cover"] {
            for object in try other.all(entity) {
                if let id = object.text("name")?.split(separator: " ").last.flatMap({ Int($0) }) { found[id] = object }
            }
        }
        return compare(found, [])
    }

    private func compare(_ objects: [Int: NSManagedObject], _ open: Set<Int>) -> [String] {
        var found: [String] = []
        guard Set(objects.keys) == Set(state.entities.keys) else {
            return ["objects \(objects.keys.sorted()) for \(state.entities.keys.sorted())"]
        }
        let numbers = Dictionary(objects.map { (ObjectIdentifier($1), $0) }) { $1 }
        func number(_ value: Any?) -> Int? {
            (value as? NSManagedObject).map { numbers[ObjectIdentifier($0)] ?? -1 }
        }
        func check<Value: Equatable>(_ shown: Value, _ expected: Value, _ place: String) {
            if shown != expected { found.append("\(place) is \(shown) for \(expected)") }
        }
        for book in state.all("Book") {
            guard let object = objects[book] else { continue }
            check(object.value(forKey: "pages") as? Int, state.pages[book], "\(book).pages")
            check(number(object.value(forKey: "author")), state.author[book], "\(book).author")
            check(number(object.value(forKey: "shelf")), state.shelf[book], "\(book).shelf")
            check(number(object.value(forKey: "cover")), state.cover[book], "\(book).cover")
            let genres = Set(object.members("genres").compactMap(number))
            check(genres, Set(state.genres.filter { $0.book == book }.map(\.genre)), "\(book).genres")
        }
        for cover in state.all("Cover") {
            let book = state.cover.first { $0.value == cover }?.key
            check(number(objects[cover]?.value(forKey: "book")), book, "\(cover).book")
        }
        for author in state.all("Author") {
            let books = Set((objects[author]?.members("books") ?? []).compactMap(number))
            check(books, state.members(of: author), "\(author).books")
        }
        for owner in state.all("Shelf") + state.all("Genre") {
            let books = ((objects[owner]?.value(forKey: "books") as? NSOrderedSet)?.array ?? []).compactMap(number)
            if open.contains(owner) {
                check(Set(books), state.members(of: owner), "\(owner).books")
                state.order[owner] = books
            } else {
                check(books, state.order[owner] ?? [], "\(owner).books")
            }
        }
        return found
    }
}
