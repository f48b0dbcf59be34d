import CoreData
import Foundation
import Testing

@Suite("A damaged XML or binary store is an error, never the end of the program")
struct DamagedAtomicStoreTests {
    private static let types = [NSXMLStoreType, NSBinaryStoreType]
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
    }

    private func soundStore(_ type: String) throws -> Data {
        let stack = try AtomicStack(url, type: type)
        let author = stack.context.make("Author", ["name": "Ursula", "born": Date(timeIntervalSinceReferenceDate: 0)])
        for title in ["Tehanu", "Rocannon"] {
            stack.context.makeBook(title, ["author": author, "price": Decimal(10), "pages": 100])
        }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        return try Data(contentsOf: url)
    }

    /// Opens what is at the place and looks at everything; says how it failed, if it did.
    private func failure(_ type: String) -> NSError? {
        do {
            let stack = try AtomicStack(url, type: type)
            for entity in ["Author", "Book", "Genre", "Loan", "Member"] {
                for object in try stack.context.all(entity) {
                    for name in object.entity.propertiesByName.keys { _ = object.value(forKey: name) }
                }
            }
            return nil
        } catch {
            return error as NSError
        }
    }

    @Test("Cut off anywhere, and with bytes changed anywhere", arguments: types, 0..<4 as Range<UInt64>)
    func randomDamage(type: String, seed: UInt64) throws {
        let sound = try soundStore(type)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<60 {
            var data = sound
            if round.isMultiple(of: 3) {
                data = data.prefix(Int.random(in: 1..<data.count, using: &generator))
            } else {
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let place = Int.random(in: 0..<data.count, using: &generator)
                    data[place] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            try data.write(to: url)
            let error = failure(type)
            if round.isMultiple(of: 3) { #expect(error != nil, "seed \(seed), round \(round)") }
            if let error {
                #expect(error.localizedDescription.isEmpty == false, "seed \(seed), round \(round)")
                #expect(try Data(contentsOf: url) == data, "the file is left alone")
            }
            _ = try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        }
    }

    @Test(
        "What is wrong in XML is said with its line",
        arguments: [
            ("type=\"AUTHOR\"", "type=\"AUTOR\"", "AUTOR"),
            ("id=\"z102\"", "id=\"102\"", "102"),
            ("id=\"z104\"", "id=\"z103\"", "103"),
            ("id=\"z102\"", "id=\"z99999999999999999999\"", "99999999999999999999"),
            ("name=\"pages\"", "name=\"leaves\"", "leaves"),
            ("name=\"pages\"", "name=\"title\"", "Book.title"),
            (">100<", ">hundred<", "Book.pages"),
            (">100<", ">99999999999<", "Book.pages"),
            ("name=\"pages\" type=\"int32\"", "name=\"pages\" type=\"string\"", "string"),
            ("name=\"born\" type=\"date\">0", "name=\"born\" type=\"date\">then", "Author.born"),
            ("<nextObjectID>104", "<nextObjectID>9223372036854775807", "nextObjectID"),
            ("<version>134481920", "<version>1", "version"),
            ("<UUID>", "<ID>", "ID"),
            ("<attribute name=\"name\"", "<attribute nam=\"name\"", "Author"),
            ("<databaseInfo>", "<info>", "databaseInfo"),
        ])
    func namedDamage(old: String, new: String, expected: String) throws {
        var text = String(decoding: try soundStore(NSXMLStoreType), as: UTF8.self)
        let range = try #require(text.range(of: old), "\(old)")
        text.replaceSubrange(range, with: new)
        try Data(text.utf8).write(to: url)
        let error = try #require(failure(NSXMLStoreType), "\(new)")
        #expect(error.localizedDescription.contains(expected), "\(error.localizedDescription)")
        #expect(error.localizedDescription.contains("line "), "\(error.localizedDescription)")
        #expect(error.localizedDescription.contains(url.path))
    }

    @Test("A to-one with two destinations, and a destination of another entity", arguments: [true, false])
    func wrongDestinations(twice: Bool) throws {
        var text = String(decoding: try soundStore(NSXMLStoreType), as: UTF8.self)
        let author = try #require(text.range(of: "destination=\"AUTHOR\" idrefs=\""))
        let books = try #require(text.range(of: "<object type=\"BOOK\" id=\""))
        let book = text[books.upperBound...].prefix { $0 != "\"" }
        text.insert(
            contentsOf: twice ? String(text[author.upperBound...].prefix { $0 != "\"" }) + " " : "\(book) ",
            at: author.upperBound)
        try Data(text.utf8).write(to: url)
        let error = try #require(failure(NSXMLStoreType))
        #expect(error.localizedDescription.contains("author"), "\(error.localizedDescription)")
    }

    @Test("Files of another kind, empty ones, folders and missing ones", arguments: types)
    func otherFiles(type: String) throws {
        for data in [Data("hello".utf8), Data("SQLite format 3\u{0}".utf8), Data(repeating: 0, count: 4096)] {
            try data.write(to: url)
            #expect(failure(type) != nil)
            #expect(throws: (any Error).self) {
                try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
            }
        }
        try Data().write(to: url)
        #expect(throws: (any Error).self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        }
        try FileManager.default.removeItem(at: url)
        #expect(throws: (any Error).self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        }
        #expect(throws: (any Error).self) {
            try AtomicStack(folder.url, type: type)
        }
        #expect(throws: (any Error).self) {
            try AtomicStack(folder.url.appendingPathComponent("missing/store"), type: type)
        }
    }
}
