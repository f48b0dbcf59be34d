/// What a library must hold, in plain dictionaries: the other side of the comparison in random programs.
struct GraphModel: Equatable {
    struct Book: Equatable {
        var title: String
        var pages: Int?
        var author: Int?
        var genres: Set<Int> = []
    }

    var authors: [Int: String] = [:]
    var books: [Int: Book] = [:]
    var genres: [Int: String] = [:]

    mutating func deleteAuthor(_ id: Int) {
        authors[id] = nil
        for (book, value) in books where value.author == id { books[book]?.author = nil }
    }

    mutating func deleteGenre(_ id: Int) {
        genres[id] = nil
        for book in books.keys { books[book]?.genres.remove(id) }
    }

    func books(ofAuthor id: Int) -> Set<Int> { Set(books.filter { $0.value.author == id }.keys) }
    func books(ofGenre id: Int) -> Set<Int> { Set(books.filter { $0.value.genres.contains(id) }.keys) }
}
