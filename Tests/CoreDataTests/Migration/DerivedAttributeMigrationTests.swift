import CoreData
import Foundation
import Testing

@Suite("Derived attributes in a lightweight migration")
struct DerivedAttributeMigrationTests {
    struct Step: CustomTestStringConvertible, Sendable {
        var from: String?
        var to: String?
        var testDescription: String { "\(from ?? "none") to \(to ?? "none")" }
    }

    private static let expressions: [String?] = [
        nil, "books.@count", "books.@sum.pages", "uppercase:(name)", "shelf.name",
    ]

    static let steps = expressions.flatMap { from in
        expressions.filter { $0 != from }.map { Step(from: from, to: $0) }
    }

    private static func model(_ expression: String?) -> NSManagedObjectModel {
        let (author, book, shelf) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (author.name, book.name, shelf.name) = ("Author", "Book", "Shelf")
        func link(_ name: String, _ to: NSEntityDescription, many: Bool) -> NSRelationshipDescription {
            let link = NSRelationshipDescription()
            (link.name, link.destinationEntity, link.maxCount, link.isOptional) = (name, to, many ? 0 : 1, true)
            return link
        }
        func join(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
            (one.inverseRelationship, other.inverseRelationship) = (other, one)
        }
        let (books, writer) = (link("books", book, many: true), link("author", author, many: false))
        let (itsShelf, authors) = (link("shelf", shelf, many: false), link("authors", author, many: true))
        join(books, writer)
        join(itsShelf, authors)
        author.properties = [MigrationLibrary.attribute("name", .stringAttributeType), books, itsShelf]
        book.properties = [MigrationLibrary.attribute("pages", .integer64AttributeType), writer]
        shelf.properties = [MigrationLibrary.attribute("name", .stringAttributeType), authors]
        if let expression {
            let derived = NSDerivedAttributeDescription()
            derived.name = expression.contains("@") ? "figure" : "words"
            derived.attributeType = expression.contains("@") ? .integer64AttributeType : .stringAttributeType
            derived.isOptional = true
            derived.derivationExpression = NSExpression(format: expression)
            author.properties += [derived]
        }
        let model = NSManagedObjectModel()
        model.entities = [author, book, shelf]
        return model
    }

    private static func expected(_ expression: String, _ number: Int) -> String {
        switch expression {
        case "books.@count": "\(number)"
        case "books.@sum.pages": "\((0..<number).map { 10 * ($0 + 1) }.reduce(0, +))"
        case "uppercase:(name)": "AUTHOR \(number)"
        default: "Shelf \(number % 2)"
        }
    }

    @Test("get their values for the rows that are there, and follow later changes", arguments: steps)
    func migrates(_ step: Step) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        let (old, new) = (Self.model(step.from), Self.model(step.to))
        var stack = try StoreStack(url, model: old)
        let shelves = (0..<2).map { stack.context.make("Shelf", ["name": "Shelf \($0)"]) }
        for number in 0..<4 {
            let author = stack.context.make("Author", ["name": "Author \(number)", "shelf": shelves[number % 2]])
            for place in 0..<number { stack.context.make("Book", ["pages": 10 * (place + 1), "author": author]) }
        }
        try stack.context.save()
        try stack.close()
        stack = try StoreStack(url, model: new)
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(new, historyTracking: false))
        guard let expression = step.to else { return try stack.close() }
        let column = expression.contains("@") ? "ZFIGURE" : "ZWORDS"
        func values() throws -> [[String?]] {
            try PlainSQLite.rows("SELECT CAST(\(column) AS TEXT) FROM ZAUTHOR ORDER BY ZNAME", in: url)
        }
        #expect(try values() == (0..<4).map { [Self.expected(expression, $0)] })
        let authors = try stack.context.all("Author", sort: "name")
        stack.context.make("Book", ["pages": 10, "author": authors[0]])
        authors[1].setValue("author 1b", forKey: "name")
        authors[2].setValue(authors[3].value(forKey: "shelf"), forKey: "shelf")
        try stack.context.save()
        let changed =
            switch expression {
            // The name in small letters comes last.
            case "books.@count": ["1", "2", "3", "1"]
            case "books.@sum.pages": ["10", "30", "60", "10"]
            case "uppercase:(name)": ["AUTHOR 0", "AUTHOR 2", "AUTHOR 3", "AUTHOR 1B"]
            default: ["Shelf 0", "Shelf 1", "Shelf 1", "Shelf 1"]
            }
        #expect(try values() == changed.map { [$0] })
        try stack.close()
    }
}
