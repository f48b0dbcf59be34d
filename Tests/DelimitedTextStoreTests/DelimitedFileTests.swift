import CoreData
import DelimitedTextStore
import Foundation
import Testing

@Suite("Lines are read as Apple's guide has them, and what is wrong is found")
struct DelimitedFileTests {
    private let file: TextFile

    init() throws { file = try TextFile() }

    private static let columns = [DelimitedTextStore.columnsOption: ["Person": ["first", "last", "id"]]]

    private static let people = [
        ("Robert", "Tibbot", "86349382003"), ("Jeff", "Hancock", "5987749473"), ("Derek", "Benson", "7987082467"),
        ("George", "Andronov", "3492475026"),
    ]

    private func names(_ options: [String: Any] = [:]) throws -> [String] {
        try file.read(options) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "first", ascending: true)]
            return try context.fetch(request).map {
                "\($0.value(forKey: "first") ?? "") \($0.value(forKey: "last") ?? "")"
            }
        }
    }

    private static let sorted = ["Derek Benson", "George Andronov", "Jeff Hancock", "Robert Tibbot"]

    @Test("Lines of values")
    func values() throws {
        try file.write(Self.people.map { "Person,\($0),\($1),\($2)" })
        #expect(try names(Self.columns) == Self.sorted)
    }

    @Test("Lines of names and values, and the id is what the store knows an object by")
    func namedValues() throws {
        try file.write(Self.people.map { "Person::first:\($0):last:\($1):id:\($2)" })
        #expect(try names() == Self.sorted)
        let reference = try file.read { context -> Any? in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "first == 'Robert'")
            let id = try #require(context.fetch(request).first?.objectID)
            return (id.persistentStore as? NSAtomicStore)?.referenceObject(for: id)
        }
        #expect(reference as? String == "86349382003")
    }

    @Test("Both kinds of lines in one file, with ends of lines as on Windows, and empty lines")
    func bothKinds() throws {
        try file.write(["Person,Jeff,Hancock,1\r", "", "Person::id:2:last:Tibbot:first:Robert\r", "  "])
        #expect(try names(Self.columns) == ["Jeff Hancock", "Robert Tibbot"])
    }

    @Test("A file of values is written back as one, and objects that need names get them")
    func writing() throws {
        try file.write(["Person,Robert,Tibbot,9", "Person,Jeff,,10"])
        try file.change(Self.columns) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            let people = try context.fetch(request)
            let jeff = try #require(people.first { $0.value(forKey: "first") as? String == "Jeff" })
            jeff.setValue("a,b:c\\", forKey: "last")
            let new = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            new.setValue("", forKey: "first")
            new.setValue(Set(people), forKey: "friends")
        }
        #expect(
            try file.lines() == [
                "Person,Robert,Tibbot,9", "Person,Jeff,a\\,b\\:c\\\\,10", "Person::first:\\e:friends:10 9:id:11",
            ])
        #expect(try names(Self.columns) == [" ", "Jeff a,b:c\\", "Robert Tibbot"])
    }

    @Test(
        "What is wrong has a line and a column",
        arguments: [
            ("Person::first:Robert", 1, 1, "no id"),
            ("Person::id:1\nAnimal::id:2", 2, 1, "no entity 'Animal'"),
            ("Person::id:1\nPerson::id:1", 2, 12, "has the id '1' too"),
            ("Person::first:Robert:lsat:Tibbot:id:1", 1, 27, "no property 'lsat'"),
            ("Person::first:Robert:last", 1, 22, "'last' has no value"),
            ("Person::id:1:first:A:first:B", 1, 22, "two values"),
            ("Person::age:many:id:1", 1, 13, "'many' is no value for age"),
            ("Person::first:a\\x:id:1", 1, 15, "'\\x' stands for nothing"),
            ("Person::id:1:first:a\\", 1, 20, "a backslash at the end"),
            ("Person::id:1:friends:7", 1, 22, "leads to the Person '7'"),
            ("Person::id:1\nPerson::id:2:friends:1 3", 2, 24, "leads to the Person '3'"),
            ("Person::id:1\nPerson::id:2:boss:1 2", 2, 19, "leads to 2 objects"),
            ("Person,Robert,1", 1, 15, "has 3 values"),
            ("#NSStoreUUID:a:b:c", 1, 2, "no entry of the metadata"),
            ("Person::id:1\n\u{1}", 2, 1, "no entity"),
        ])
    func errors(text: String, line: Int, column: Int, reason: String) throws {
        try file.write([text])
        let error = #expect(throws: DelimitedTextError.self) { try names(Self.columns) }
        #expect(error?.line == line && error?.column == column, "\(error?.description ?? "")")
        #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.localizedDescription.contains("line \(line), column \(column)") == true)
    }

    @Test("Bytes that are no text have a place as well")
    func invalidText() throws {
        try file.write(Data("Person::id:1\nPers".utf8) + [0xFF, 0xFE])
        let error = #expect(throws: DelimitedTextError.self) { try names() }
        #expect(error?.line == 2 && error?.column == 5)
    }

    @Test("Damaged files are errors, or are read", arguments: 0..<40)
    func damage(seed: Int) throws {
        var text = Data(
            Self.people.map { "Person::first:\($0):last:\($1):friends:5987749473:id:\($2)\n" }.joined().utf8)
        for step in 0..<3 {
            let place = (seed &* 7919 &+ step &* 104_729) % text.count
            text[place] ^= UInt8(1 << ((seed + step) % 8))
        }
        try file.write(text)
        do { _ = try names() } catch { #expect(!"\(error)".isEmpty) }
    }
}
