import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSExpression

@Suite("Derived attributes are kept by the store")
struct DerivedAttributeTests {
    @Test("Texts, time, counts, sums and paths have their values after the save, once the object is refreshed")
    func firstSave() throws {
        let stack = try TemporaryStack(model: DerivedModel.make())
        let context = stack.context()
        let before = Date()
        let country = context.make("Country", ["name": "Côte d'Ivoire"])
        let author = context.make("Author", ["name": "Élodie", "country": country])
        let genre = context.make("Genre", ["name": "Travel"])
        let book = context.make("Book", ["title": "A", "pages": 10, "price": 0.1, "author": author])
        context.make("Book", ["title": "B", "pages": 20, "price": 0.2, "author": author])
        book.setValue(Set([genre]), forKey: "genres")
        try context.save()
        context.refreshAllObjects()
        #expect(author.text("searchName") == "elodie")
        let saved = try #require(author.value(forKey: "saved") as? Date)
        #expect(saved >= before.addingTimeInterval(-1) && saved <= Date().addingTimeInterval(1))
        #expect(author.value(forKey: "bookCount") as? Int == 2)
        #expect(author.value(forKey: "pages") as? Int == 30)
        #expect(abs((author.value(forKey: "value") as? Double ?? 0) - 0.3) < 1e-9)
        #expect(book.text("authorName") == "Élodie")
        #expect(book.text("countryName") == "Côte d'Ivoire")
        #expect(book.text("loudCountry") == "CÔTE D'IVOIRE")
        #expect(book.value(forKey: "genreCount") as? Int == 1)
        #expect(genre.value(forKey: "pages") as? Int == 10)
    }

    /// What every derived attribute should be, from the other attributes of the objects.
    private func check(_ context: NSManagedObjectContext, _ place: Comment) throws {
        for author in try context.all("Author") {
            let books = author.members("books")
            #expect(author.text("searchName") == author.text("name")?.lowercased(), place)
            #expect(author.value(forKey: "bookCount") as? Int ?? 0 == books.count, place)
            let pages = books.reduce(0) { $0 + ($1.value(forKey: "pages") as? Int ?? 0) }
            #expect(author.value(forKey: "pages") as? Int ?? 0 == pages, place)
            let value = books.reduce(0) { $0 + ($1.value(forKey: "price") as? Double ?? 0) }
            #expect(abs((author.value(forKey: "value") as? Double ?? 0) - value) < 1e-9, place)
        }
        for book in try context.all("Book") {
            let author = book.value(forKey: "author") as? NSManagedObject
            let country = author?.value(forKey: "country") as? NSManagedObject
            #expect(book.text("authorName") == author?.text("name"), place)
            #expect(book.text("countryName") == country?.text("name"), place)
            #expect(book.text("loudCountry") == country?.text("name")?.uppercased(), place)
            #expect(book.value(forKey: "genreCount") as? Int ?? 0 == book.members("genres").count, place)
        }
        for genre in try context.all("Genre") {
            let pages = genre.members("books").reduce(0) { $0 + ($1.value(forKey: "pages") as? Int ?? 0) }
            #expect(genre.value(forKey: "pages") as? Int ?? 0 == pages, place)
        }
    }

    @Test(
        "Whatever is inserted, changed, related and deleted, the values are those of the graph",
        arguments: UInt64(1)...4)
    func randomProgram(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try TemporaryStack(model: DerivedModel.make())
        let context = stack.context()
        for round in 0..<15 {
            for _ in 0..<6 {
                let all = try ["Country", "Author", "Book", "Genre"].flatMap { try context.all($0) }
                let object = all.randomElement(using: &random)
                func one(_ entity: String) -> NSManagedObject? {
                    all.filter { $0.entity.name == entity && !$0.isDeleted }.randomElement(using: &random)
                }
                switch Int.random(in: 0..<9, using: &random) {
                case 0: context.make("Country", ["name": "Land \(round)"])
                case 1: context.make("Author", ["name": "Name \(round)"]).setValue(one("Country"), forKey: "country")
                case 2:
                    context.make("Genre", ["name": "Genre \(round)"]).setValue(
                        Set([one("Book")].compactMap { $0 }), forKey: "books")
                case 3:
                    context.make("Book", ["pages": round, "price": Double(round) / 10]).setValue(
                        one("Author"), forKey: "author")
                case 4: one("Book")?.setValue(one("Author"), forKey: "author")
                case 5: one("Book")?.setValue(Set([one("Genre"), one("Genre")].compactMap { $0 }), forKey: "genres")
                case 6: one("Author")?.setValue(one("Country"), forKey: "country")
                case 7: one("Book")?.setValue(Int.random(in: 0..<100, using: &random), forKey: "pages")
                default:
                    if let object, Bool.random(using: &random) {
                        context.delete(object)
                    } else {
                        one("Country")?.setValue("New \(round)", forKey: "name")
                        one("Author")?.setValue("Newer \(round)", forKey: "name")
                    }
                }
            }
            try context.save()
            let place: Comment = "seed \(seed), round \(round)"
            try check(stack.reopened(), place)
            // The context that saved sees them too, once it looks again.
            context.refreshAllObjects()
            try check(context, place)
        }
    }

    @Test(
        "A derivation that the store can't keep is refused, and names the attribute",
        arguments: ["name + 'x'", "sum:(name)"])
    func unsupported(expression: String) throws {
        let model = DerivedModel.make()
        model.entitiesByName["Country"]?.properties.append(
            DerivedModel.derived("odd", .stringAttributeType, "(\(expression))"))
        let error = #expect(throws: NSError.self) { _ = try TemporaryStack(model: model) }
        #expect(error?.localizedDescription.contains("Country.odd") ?? false, "\(String(describing: error))")
    }

    @Test("No trigger calls a function that Apple's framework doesn't have")
    func triggers() throws {
        let stack = try TemporaryStack(model: DerivedModel.make())
        let triggers = try stack.column("sql", of: "sqlite_master WHERE type = 'trigger'", sort: "name").compactMap {
            $0
        }
        #expect(triggers.count > 20)
        for trigger in triggers {
            let calls = trigger.matches(of: /([A-Za-z_]+)\(/).map { String($0.output.1) }.filter { $0 != "IN" }
            #expect(
                Set(calls).isSubset(of: [
                    "IFNULL", "SUM", "COUNT", "NSCoreDataDATriggerUpdatedAffectedObjectValue",
                    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
                ]), "\(trigger)")
        }
    }
}
