@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import ManagedObjectModel
import Testing

@testable import CoreData

@Suite("Rows of a SQLite store")
struct SQLiteQueryRowTests {
    @Test("Every kind of value comes back as it was written")
    func everyKindOfValue() throws {
        let library = try SQLiteQueryLibrary()
        let identifier = UUID()
        let author = library.insert("Author", ["name": "Ursula", "address": ["city": "Portland"]])
        let book = library.insert(
            "AudioBook",
            [
                "title": "Tehanu 🐉", "pages": NSNumber(value: -7), "copies": NSNumber(value: 0),
                "big": NSNumber(value: Int64.min), "price": Decimal(string: "10.11")!,
                "rating": NSNumber(value: Float(0.1)),
                "score": NSNumber(value: 0.0), "inPrint": NSNumber(value: true),
                "published": Date(timeIntervalSinceReferenceDate: -1.5), "identifier": identifier,
                "cover": Data([0, 1, 255]), "narrator": "",
            ])
        book.connect("author", to: author)
        try library.save()
        try library.database.write { try $0.execute(sql: "UPDATE ZBOOK SET ZSUBTITLE = CAST(x'780079' AS TEXT)") }

        let rows = try library.database.read { try library.queries.fetchRows(library.fetch("Book"), in: $0) }
        let page = try #require(rows.first)
        #expect(rows.count == 1 && page.count == 1)
        #expect(page.key(0) == book.key && page.version(0) == 1)
        let layout = library.entity("AudioBook")
        func value(_ name: String) throws -> FieldValue { page.value(0, try #require(layout.property(named: name))) }
        #expect(try value("title") == .string("Tehanu 🐉"))
        #expect(try value("pages") == .int(-7))
        #expect(try value("copies") == .int(0))
        #expect(try value("big") == .int(.min))
        #expect(try value("price") == .decimal(Decimal(string: "10.11")!))
        #expect(try value("rating") == .double(Double(Float(0.1))))
        #expect(try value("score") == .double(0))
        #expect(try value("inPrint") == .int(1))
        #expect(try value("published") == .double(-1.5))
        #expect(try value("identifier") == .uuid(identifier))
        #expect(try value("cover") == .data(Data([0, 1, 255])))
        #expect(try value("narrator") == .string(""))
        #expect(try value("subtitle") == .string("x\u{0}y"))
        #expect(try value("duration") == .null)
        #expect(try value("sequel") == .null)
        #expect(try value("author") == .reference(author.key))
    }

    @Test("Composite elements and URIs have slots of their own")
    func compositeElements() throws {
        let library = try SQLiteQueryLibrary()
        let url = URL(string: "https://example.org/a?b=c")!
        let author = library.insert("Author", ["website": url, "address": ["city": "Portland", "street": "Main"]])
        try library.save()
        let row = try #require(try library.database.read { try library.queries.loadRow(author.key, in: $0) })
        let address = try #require(library.entity("Author").property(named: "address"))
        #expect(address.elements.map { row.page.value(0, $0) } == [.string("Portland"), .string("Main")])
        let website = try #require(library.entity("Author").property(named: "website"))
        guard case .object(let box) = row.page.value(0, website) else { throw Failure() }
        #expect(box.value as? URL == url)
    }

    @Test("A to-one to an entity with subentities knows the concrete one")
    func polymorphicReference() throws {
        let library = try SQLiteQueryLibrary()
        let audio = library.insert("AudioBook", ["title": "one"])
        let book = library.insert("Book", ["title": "two"])
        book.connect("sequel", to: audio)
        try library.save()
        let row = try #require(try library.database.read { try library.queries.loadRow(book.key, in: $0) })
        let sequel = try #require(library.entity("Book").property(named: "sequel"))
        #expect(row.page.value(row.row, sequel) == .reference(audio.key))
    }

    @Test("Two thousand rows lie in pages of 512, in order")
    func pages() throws {
        let library = try SQLiteQueryLibrary()
        for index in 0..<2000 { library.insert("Genre", ["name": "g\(index)", "shelf": NSNumber(value: index)]) }
        try library.save()
        let pages = try library.database.read { try library.queries.fetchRows(library.fetch("Genre"), in: $0) }
        #expect(pages.map(\.count) == [512, 512, 512, 464])
        let handles = pages.flatMap { page in (0..<page.count).map { page.handle($0) } }
        #expect(handles == Array(1...2000))
    }

    @Test("Loading by key finds what is there, whatever superentity the key names")
    func loadRows() throws {
        let library = try SQLiteQueryLibrary()
        let audio = library.insert("AudioBook", ["title": "a"])
        let book = library.insert("Book", ["title": "b"])
        try library.save()
        let asBook = ObjectKey(handle: audio.key.handle, entityIndex: library.entity("Book").index)
        let asAudio = ObjectKey(handle: book.key.handle, entityIndex: library.entity("AudioBook").index)
        try library.database.read { db in
            #expect(try library.queries.loadRow(asBook, in: db)?.key == audio.key)
            #expect(try library.queries.loadRow(asAudio, in: db) == nil)
            #expect(
                try library.queries.loadRow(ObjectKey(handle: 99, entityIndex: book.key.entityIndex), in: db) == nil)
            let pages = try library.queries.loadRows(
                [book.key, audio.key, ObjectKey(handle: 99, entityIndex: 2)], in: db)
            #expect(Set(pages.flatMap { page in (0..<page.count).map { page.key($0) } }) == [book.key, audio.key])
        }
    }

    @Test("To-many destinations come in order, for one owner and for many")
    func destinations() throws {
        let library = try SQLiteQueryLibrary()
        let author = library.insert("Author")
        let other = library.insert("Author")
        let books = (0..<4).map { library.insert($0 == 2 ? "AudioBook" : "Book", ["title": "b\($0)"]) }
        for book in books.dropLast() { book.connect("author", to: author) }
        let genre = library.insert("Genre")
        for book in books.reversed() { genre.link("books", to: book) }
        author.link("friends", to: other)
        let shop = library.insert("Shop")
        shop.link("stock", to: books[1])
        try library.save()

        func destinations(_ entity: String, _ name: String, _ owner: SQLiteQueryObject) throws -> [ObjectKey] {
            let property = try #require(library.entity(entity).property(named: name))
            let one = try library.database.read {
                try library.queries.loadDestinations(of: property, from: owner.key, in: $0)
            }
            let many = try library.database.read {
                try library.queries.loadDestinations(of: property, from: [owner.key], in: $0)
            }
            #expect(many[owner.key.handle, default: []] == one)
            return one
        }
        #expect(try destinations("Author", "books", author) == books.dropLast().map(\.key))
        #expect(try destinations("Author", "books", other) == [])
        #expect(try destinations("Genre", "books", genre) == books.reversed().map(\.key))
        #expect(try destinations("Book", "genres", books[2]) == [genre.key])
        #expect(try destinations("Author", "friends", author) == [other.key])
        #expect(try destinations("Author", "friends", other) == [author.key])
        #expect(try destinations("Shop", "stock", shop) == [books[1].key])
    }

    @Test("A decimal that is no number is read, and is neither more nor less than any")
    func notANumber() throws {
        let library = try SQLiteQueryLibrary()
        let book = library.insert("Book", ["title": "odd", "price": Decimal.nan])
        try library.save()
        let row = try #require(try library.database.read { try library.queries.loadRow(book.key, in: $0) })
        guard
            case .decimal(let price) = row.page.value(0, try #require(library.entity("Book").property(named: "price")))
        else { throw Failure() }
        #expect(price.isNaN)
        for format in ["price > 1", "price >= 1", "price < 1", "price == 1", "price BETWEEN {0, 5}", "price == nil"] {
            #expect(try library.keys(library.fetch("Book", format)).isEmpty, "\(format)")
        }
        #expect(try library.keys(library.fetch("Book", "price != 1")) == [1])
    }

    // MARK: Rows that don't fit

    @Test(
        "A value that can't be one of its property is an error that names table, column and row",
        arguments: [
            ("ZIDENTIFIER = x'0102'", "ZIDENTIFIER"), ("ZIDENTIFIER = 'nonsense'", "ZIDENTIFIER"),
            ("ZPRICE = 'cheap'", "ZPRICE"), ("Z_ENT = 77", "77"),
            ("Z_ENT = -1", "-1"), ("Z_ENT = 9223372036854775807", "9223372036854775807"), ("Z_ENT = 1", "1"),
        ])
    func invalidValues(assignment: String, name: String) throws {
        let library = try SQLiteQueryLibrary()
        library.insert("Book", ["title": "fine"])
        let book = library.insert("Book", ["title": "broken"])
        try library.save()
        try library.database.write { db in
            try db.execute(sql: "UPDATE ZBOOK SET \(assignment) WHERE Z_PK = \(book.key.handle)")
        }
        let error = #expect(throws: NSError.self) {
            try library.database.read { try library.queries.fetchRows(library.fetch("Book"), in: $0) }
        }
        let text = try #require(error).localizedDescription
        #expect(text.contains("ZBOOK") && text.contains(name) && text.contains("row 2"), "\(text)")
    }

    @Test("Values of another storage class are coerced as SQLite does it")
    func coercion() throws {
        let library = try SQLiteQueryLibrary()
        let book = library.insert("Book", ["title": "odd", "identifier": UUID()])
        try library.save()
        try library.database.write { db in
            try db.execute(
                sql: """
                    UPDATE ZBOOK SET ZPAGES = 'many', ZTITLE = x'C3A9', ZSCORE = 'x', ZPRICE = '1e2',
                    ZIDENTIFIER = 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', ZCOVER = 'text'
                    """)
        }
        let row = try #require(try library.database.read { try library.queries.loadRow(book.key, in: $0) })
        func value(_ name: String) throws -> FieldValue {
            row.page.value(0, try #require(library.entity("Book").property(named: name)))
        }
        #expect(try value("pages") == .int(0))
        #expect(try value("title") == .string("é"))
        #expect(try value("score") == .double(0))
        #expect(try value("price") == .decimal(100))
        #expect(try value("identifier") == .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!))
        #expect(try value("cover") == .data(Data("text".utf8)))
    }

    private struct Failure: Error {}
}
