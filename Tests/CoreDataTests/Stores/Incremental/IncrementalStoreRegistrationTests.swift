import CoreData
import Foundation
import Testing

@Suite("An incremental store hears which objects are in use, as often as they go out of use")
struct IncrementalStoreRegistrationTests {
    private let stack: WarehouseStack

    init() throws {
        stack = try WarehouseStack()
        stack.addBooks()
    }

    private var uses: [Int] { stack.warehouse.uses.values.sorted() }

    @Test("Fetched objects are in use while they live")
    func life() throws {
        do {
            let books = try stack.context.all("Book")
            #expect(uses == [1, 1, 1])
            #expect(Set(stack.warehouse.uses.keys) == Set(books.map(\.objectID)))
            _ = try stack.context.all("Book")
            #expect(uses == [1, 1, 1])
        }
        #expect(uses == [])
    }

    @Test("Several contexts count each for itself")
    func contexts() throws {
        let first = try stack.context.all("Book")
        do {
            let context = stack.otherContext()
            let second = try context.all("Book")
            #expect(uses == [2, 2, 2])
            withExtendedLifetime((context, second)) {}
        }
        #expect(uses == [1, 1, 1])
        withExtendedLifetime(first) {}
    }

    @Test("A reset ends all uses, and objects that are still held don't count again when they go")
    func reset() throws {
        do {
            let books = try stack.context.all("Book")
            _ = books[0].value(forKey: "author")
            stack.context.reset()
            #expect(uses == [])
            withExtendedLifetime(books) {}
        }
        #expect(uses == [])
    }

    @Test("The end of the context")
    func contextDeallocation() throws {
        do {
            let context = stack.otherContext()
            for book in try context.all("Book") { book.setValue(book.value(forKey: "author"), forKey: "author") }
            #expect(!uses.isEmpty)
        }
        #expect(uses == [])
    }

    @Test("Inserted objects are in use once they are saved, deleted ones until they are")
    func changes() throws {
        let book = stack.context.make("Book", ["title": "New"])
        #expect(uses == [])
        try stack.context.save()
        #expect(stack.warehouse.uses == [book.objectID: 1])
        stack.context.delete(book)
        #expect(uses == [1])
        try stack.context.save()
        #expect(uses == [])
    }

    @Test("Random programs leave nothing in use", arguments: 1...20)
    func balance(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var contexts = (0..<3).map { _ in stack.otherContext() }
        var held: [NSManagedObject] = []
        for _ in 0..<120 {
            let index = Int.random(in: 0..<3, using: &random)
            let context = contexts[index]
            switch Int.random(in: 0..<9, using: &random) {
            case 0: held += try context.all("Book")
            case 1: held.append(context.make("Book", ["title": "New"]))
            case 2: try? context.save()
            case 3: held.removeAll { _ in Bool.random(using: &random) }
            case 4: context.reset()
            case 5: contexts[index] = stack.otherContext()
            case 6: context.rollback()
            case 7:
                // In an order that the seed repeats: sets and new objects' IDs differ from run to run.
                let registered = context.registeredObjects.filter { !$0.objectID.isTemporaryID }
                    .sorted { stack.store.key($0.objectID).text < stack.store.key($1.objectID).text }
                if let object = registered.randomElement(using: &random) { context.delete(object) }
            default:
                for book in try context.all("Book", "pages > 0") {
                    _ = (book.value(forKey: "author") as? NSManagedObject)?.members("books")
                }
            }
            let registered = contexts.flatMap { $0.registeredObjects }.filter { !$0.objectID.isTemporaryID }.count
            #expect(stack.warehouse.uses.values.reduce(0, +) >= registered, "seed \(seed)")
        }
        held = []
        contexts = []
        #expect(uses == [], "seed \(seed)")
    }
}
