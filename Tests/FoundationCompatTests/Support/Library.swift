import FoundationCompat

/// The library of the examples, as objects without Core Data.
final class Author: NSObject, KeyPathCoding, @unchecked Sendable {
    var name: String
    var born: Int?
    var books: Set<Book> = []

    init(_ name: String, born: Int?) {
        self.name = name
        self.born = born
    }

    static var keyPathsByKey: [String: AnyKeyPath] {
        ["name": \Author.name, "born": \Author.born, "books": \Author.books]
    }
}

final class Genre: NSObject, KeyPathCoding, @unchecked Sendable {
    var name: String
    var shelf: Int?

    init(_ name: String, shelf: Int?) {
        self.name = name
        self.shelf = shelf
    }

    static var keyPathsByKey: [String: AnyKeyPath] {
        ["name": \Genre.name, "shelf": \Genre.shelf]
    }
}

final class Loan: NSObject, KeyPathCoding, @unchecked Sendable {
    var member: String
    var days: Int
    var fee: Decimal

    init(_ member: String, days: Int, fee: Decimal) {
        self.member = member
        self.days = days
        self.fee = fee
    }

    static var keyPathsByKey: [String: AnyKeyPath] {
        ["member": \Loan.member, "days": \Loan.days, "fee": \Loan.fee]
    }
}

final class Book: NSObject, KeyPathCoding, @unchecked Sendable {
    /// The books' numbers in expected results.
    let number: Int
    var title = ""
    var pages: Int?
    var price: Decimal?
    var published: Date?
    var rating: Double?
    var copies = 0
    var inPrint = true
    var identifier = UUID()
    var cover: Data?
    var website: URL?
    var size: String?
    var author: Author?
    var genres: Set<Genre> = []
    var loans: [Loan] = []
    var tags: [String] = []
    var info: [String: Any] = [:]

    init(number: Int) {
        self.number = number
    }

    static var keyPathsByKey: [String: AnyKeyPath] {
        [
            "number": \Book.number, "title": \Book.title, "pages": \Book.pages, "price": \Book.price,
            "published": \Book.published, "rating": \Book.rating, "copies": \Book.copies,
            "inPrint": \Book.inPrint, "identifier": \Book.identifier, "cover": \Book.cover,
            "website": \Book.website, "size": \Book.size, "author": \Book.author, "genres": \Book.genres,
            "loans": \Book.loans, "tags": \Book.tags, "info": \Book.info,
        ]
    }
}

/// Eight books with known values.
struct Library: Sendable {
    let books: [Book]
    let austen = Author("Jane Austen", born: 1775)
    let bronte = Author("Charlotte Brontë", born: 1816)
    let capek = Author("Karel Čapek", born: 1890)
    let tolstoy = Author("Leo Tolstoy", born: 1828)
    let novel = Genre("Novel", shelf: 1)
    let satire = Genre("Satire", shelf: 2)
    let drama = Genre("Drama", shelf: nil)
    let history = Genre("History", shelf: 4)

    static let shared = Library()

    static func date(_ year: Int, _ month: Int, _ day: Int) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        return calendar.date(from: DateComponents(year: year, month: month, day: day))!
    }

    static func identifier(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)")!
    }

    init() {
        var books: [Book] = []
        func add(
            _ title: String, _ author: Author?, pages: Int?, price: String?, published: Date?, rating: Double?,
            copies: Int, inPrint: Bool, genres: Set<Genre>, tags: [String], loans: [Loan] = []
        ) {
            let book = Book(number: books.count + 1)
            book.title = title
            book.author = author
            book.pages = pages
            book.price = price.flatMap { Decimal(string: $0) }
            book.published = published
            book.rating = rating
            book.copies = copies
            book.inPrint = inPrint
            book.identifier = Self.identifier(book.number)
            book.genres = genres
            book.tags = tags
            book.loans = loans
            author?.books.insert(book)
            books.append(book)
        }
        add(
            "Emma", austen, pages: 474, price: "9.99", published: Self.date(1815, 12, 23), rating: 4.1, copies: 3,
            inPrint: true, genres: [novel, satire], tags: ["classic", "romance"],
            loans: [Loan("Ann", days: 14, fee: 0), Loan("Bob", days: 30, fee: 1.5)])
        add(
            "Persuasion", austen, pages: 249, price: "7.50", published: Self.date(1817, 12, 20), rating: 4.2,
            copies: 1, inPrint: true, genres: [novel], tags: ["classic"], loans: [Loan("Ann", days: 7, fee: 0)])
        add(
            "Villette", bronte, pages: 657, price: "12", published: Self.date(1853, 1, 28), rating: 3.8, copies: 2,
            inPrint: true, genres: [novel], tags: [])
        add(
            "R.U.R.", capek, pages: 96, price: "5", published: Self.date(1920, 11, 1), rating: nil, copies: 0,
            inPrint: false, genres: [drama, satire], tags: ["robots"], loans: [Loan("Čeněk", days: 60, fee: 3)])
        add(
            "War and Peace", tolstoy, pages: 1225, price: "15.25", published: Self.date(1869, 1, 1), rating: 4.5,
            copies: 5, inPrint: true, genres: [novel, history], tags: ["classic", "long"],
            loans: [
                Loan("Ann", days: 90, fee: 4.5), Loan("Bob", days: 45, fee: 2), Loan("Cid", days: 10, fee: 0),
            ])
        add(
            "Krakatit", capek, pages: 320, price: nil, published: Self.date(1924, 6, 15), rating: 3.5, copies: 1,
            inPrint: false, genres: [novel], tags: ["Bomb", "robots"])
        add(
            "100% Wool?", nil, pages: nil, price: "0", published: nil, rating: 2.5, copies: 1, inPrint: true,
            genres: [], tags: ["craft"])
        add(
            "Straße *nach* Süden\n2", nil, pages: 8, price: "0.1", published: Self.date(2001, 1, 1), rating: 0.1,
            copies: -1, inPrint: false, genres: [history], tags: ["été", "ÉTÉ"])
        books[0].size = "octavo"
        books[0].cover = Data([1, 2, 3])
        books[0].website = URL(string: "https://example.org/emma")
        books[0].info = ["weight": 0.4, "first": "a", "nested": ["deep": 7]]
        books[4].info = ["weight": 1.2]
        self.books = books
    }

    /// The numbers of the books for which a predicate is true.
    func numbers(_ predicate: NSPredicate, _ bindings: [String: Any]? = nil) throws -> [Int] {
        try books.filter { try predicate.checkedEvaluate(with: $0, substitutionVariables: bindings) }.map(\.number)
    }
}
