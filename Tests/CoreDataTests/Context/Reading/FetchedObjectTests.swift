import CoreData
import Foundation
import Testing

@Suite("What a context has found or saved and nobody holds")
struct FetchedObjectTests {
    private final class Box {
        unowned let object: NSManagedObject
        init(_ object: NSManagedObject) { self.object = object }
    }

    private static func filled() throws -> TemporaryStack {
        let stack = try TemporaryStack()
        let context = stack.context()
        for number in 0..<20 { context.makeBook("\(number)") }
        try context.save()
        return stack
    }

    private let request = NSFetchRequest<NSManagedObject>(entityName: "Book")

    @Test("is there until the context's block ends, and no longer")
    func blocks() throws {
        let stack = try Self.filled()
        let context = stack.queueContext()
        try context.performAndWait {
            let boxes = try context.fetch(request).map(Box.init)
            #expect(Set(boxes.map { $0.object.text("title") }).count == 20)
            let id = try #require(boxes.first).object.objectID
            let again = try context.performAndWait { try context.fetch(request).count }
            #expect(again == 20)
            #expect(context.registeredObject(for: id) != nil)
        }
        let isEmpty = context.performAndWait { context.registeredObjects.isEmpty }
        #expect(isEmpty)
    }

    @Test("is there after an insertion that was saved, too")
    func insertions() throws {
        let stack = try Self.filled()
        let context = stack.queueContext()
        try context.performAndWait {
            let box = Box(context.makeBook("new"))
            try context.save()
            #expect(box.object.text("title") == "new")
        }
        let isEmpty = context.performAndWait { context.registeredObjects.isEmpty }
        #expect(isEmpty)
    }

    @Test("is there until the turn of the main queue ends")
    @MainActor
    func mainQueue() async throws {
        let stack = try Self.filled()
        let context = stack.container.viewContext
        let boxes = try context.fetch(request).map(Box.init)
        #expect(boxes.allSatisfy { $0.object.managedObjectContext === context })
        for _ in 0..<100 where !context.registeredObjects.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("is let go where an autorelease pool ends, with what is saved inside of it")
    func pools() throws {
        let stack = try Self.filled()
        let context = stack.queueContext()
        try context.performAndWait {
            for number in 0..<3 {
                try autoreleasepool {
                    let box = Box(context.makeBook("\(number)"))
                    try context.save()
                    #expect(try autoreleasepool { try context.fetch(request).count } == 21 + number)
                    #expect(context.registeredObjects == [box.object])
                }
                #expect(context.registeredObjects.isEmpty)
            }
        }
    }

    @Test("is let go in a block with many fetches")
    func manyFetches() throws {
        let stack = try Self.filled()
        let context = stack.queueContext()
        try context.performAndWait {
            weak var first: NSManagedObject?
            first = try context.fetch(request).first
            #expect(first != nil)
            let other = NSFetchRequest<NSManagedObject>(entityName: "Book")
            other.predicate = NSPredicate(format: "title != %@", first?.text("title") ?? "")
            for _ in 0..<600 { _ = try context.fetch(other) }
            #expect(first == nil && context.registeredObjects.count == 19)
        }
    }
}
