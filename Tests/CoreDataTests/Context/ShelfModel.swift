import CoreData
import Foundation

/// A model with a relationship of every form, for programs over several contexts.
enum Shelves {
    static func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let (author, book, shelf, genre, cover) =
            (entity("Author"), entity("Book"), entity("Shelf"), entity("Genre"), entity("Cover"))
        let pages = NSAttributeDescription()
        pages.name = "pages"
        pages.attributeType = .integer32AttributeType
        pages.isOptional = true
        book.properties.append(pages)
        relate(author, "books", many: true, to: book, "author", many: false)
        relate(shelf, "books", many: true, ordered: true, to: book, "shelf", many: false)
        relate(book, "genres", many: true, to: genre, "books", many: true, inverseOrdered: true)
        relate(book, "cover", many: false, to: cover, "book", many: false)
        model.entities = [author, book, shelf, genre, cover]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        let attribute = NSAttributeDescription()
        attribute.name = "name"
        attribute.attributeType = .stringAttributeType
        entity.properties = [attribute]
        return entity
    }

    private static func relate(
        _ source: NSEntityDescription, _ name: String, many: Bool, ordered: Bool = false,
        to destination: NSEntityDescription, _ inverseName: String, many inverseMany: Bool, inverseOrdered: Bool = false
    ) {
        func relationship(_ name: String, _ many: Bool, _ ordered: Bool) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.maxCount = many ? 0 : 1
            relationship.isOrdered = ordered
            relationship.deleteRule = .nullifyDeleteRule
            relationship.isOptional = true
            return relationship
        }
        let (one, other) = (relationship(name, many, ordered), relationship(inverseName, inverseMany, inverseOrdered))
        one.destinationEntity = destination
        other.destinationEntity = source
        one.inverseRelationship = other
        other.inverseRelationship = one
        source.properties.append(one)
        destination.properties.append(other)
    }
}

/// What a stack of shelves holds, in plain dictionaries: objects and what they lead to by number.
struct ShelfState: Equatable {
    struct Pair: Hashable {
        var book: Int
        var genre: Int
    }

    var entities: [Int: String] = [:]
    var pages: [Int: Int] = [:]
    var author: [Int: Int] = [:]
    var shelf: [Int: Int] = [:]
    var cover: [Int: Int] = [:]
    var genres: Set<Pair> = []
    /// The books in order, by shelf or genre.
    var order: [Int: [Int]] = [:]

    func all(_ entity: String) -> [Int] { entities.filter { $0.value == entity }.keys.sorted() }

    func members(of owner: Int) -> Set<Int> {
        switch entities[owner] {
        case "Author": Set(author.filter { $0.value == owner }.keys)
        case "Shelf": Set(shelf.filter { $0.value == owner }.keys)
        default: Set(genres.filter { $0.genre == owner }.map(\.book))
        }
    }

    mutating func delete(_ gone: Int) {
        entities[gone] = nil
        dropDangling()
    }

    /// Nothing leads to what isn't there.
    mutating func dropDangling() {
        let known = Set(entities.keys)
        pages = pages.filter { known.contains($0.key) }
        for links in [\ShelfState.author, \.shelf, \.cover] {
            self[keyPath: links] = self[keyPath: links].filter { known.contains($0.key) && known.contains($0.value) }
        }
        genres = genres.filter { known.contains($0.book) && known.contains($0.genre) }
        order = order.filter { known.contains($0.key) }
        for owner in all("Shelf") + all("Genre") { arrange(owner) }
    }

    /// Members that left go from their places, new ones come last.
    mutating func arrange(_ owner: Int) {
        let members = members(of: owner)
        let kept = (order[owner] ?? []).filter(members.contains)
        order[owner] = kept + members.subtracting(kept).sorted()
    }

    /// What this state is when its own changes since `base` are laid over `theirs`.
    ///
    /// - Returns: the state, and the owners whose order is open, as both sides may have changed it.
    func rebased(from base: ShelfState, to theirs: ShelfState) -> (state: ShelfState, open: Set<Int>) {
        func value<Value: Equatable>(_ mine: Value?, _ before: Value?, _ other: Value?) -> Value? {
            mine != before ? mine : other
        }
        var result = ShelfState()
        for (id, entity) in entities where base.entities[id] == nil || theirs.entities[id] != nil {
            result.entities[id] = entity
        }
        for (id, entity) in theirs.entities where base.entities[id] == nil { result.entities[id] = entity }
        for book in result.all("Book") {
            result.pages[book] = value(pages[book], base.pages[book], theirs.pages[book])
            result.author[book] = value(author[book], base.author[book], theirs.author[book])
            result.shelf[book] = value(shelf[book], base.shelf[book], theirs.shelf[book])
        }
        result.genres = theirs.genres.subtracting(base.genres.subtracting(genres)).union(
            genres.subtracting(base.genres))
        result.cover = rebasedCovers(from: base, to: theirs)
        var open: Set<Int> = []
        result.order = theirs.order
        for owner in result.all("Shelf") + result.all("Genre") where order[owner] != base.order[owner] {
            result.order[owner] = order[owner]
            if theirs.order[owner] != base.order[owner] { open.insert(owner) }
        }
        let wanted = result.order
        result.dropDangling()
        for owner in result.all("Shelf") + result.all("Genre") where wanted[owner] != result.order[owner] {
            open.insert(owner)
        }
        return (result, open)
    }

    /// Who has changed one end of a pair keeps what is there.
    private func rebasedCovers(from base: ShelfState, to theirs: ShelfState) -> [Int: Int] {
        func books(_ covers: [Int: Int]) -> [Int: Int] { Dictionary(covers.map { ($1, $0) }) { $1 } }
        let (myBooks, baseBooks) = (books(cover), books(base.cover))
        func isMine(_ book: Int, _ cover: Int) -> Bool {
            self.cover[book] != base.cover[book] || myBooks[cover] != baseBooks[cover]
        }
        let mine = cover.filter { isMine($0.key, $0.value) }
        return theirs.cover.filter { !isMine($0.key, $0.value) }.merging(mine) { $1 }
    }
}
