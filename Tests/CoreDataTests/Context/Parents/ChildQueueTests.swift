import CoreData
import Foundation
import Testing

@Suite("Parents and children on different queues")
struct ChildQueueTests {
    private func tree() throws -> (TemporaryStack, parent: NSManagedObjectContext, child: NSManagedObjectContext) {
        let stack = try TemporaryStack()
        let parent = stack.queueContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        return (stack, parent, child)
    }

    @Test("A child on its queue reaches a parent on another without deadlock")
    func privateQueues() async throws {
        let (stack, parent, child) = try tree()
        try await child.perform {
            let author = child.make("Author", ["name": "A"])
            for title in ["One", "Two"] { child.makeBook(title, ["author": author]) }
            try child.save()
        }
        try await parent.perform {
            #expect(try parent.all("Author").first?.titles("books") == ["One", "Two"])
            try parent.save()
        }
        #expect(try stack.reopened().all("Book").count == 2)
        let titles = try await child.perform { try child.all("Author").first?.titles("books") }
        #expect(titles == ["One", "Two"])
    }

    @Test("A parent on the main queue serves children on their own")
    func mainParent() async throws {
        let stack = try TemporaryStack()
        let container = stack.container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let child = NSManagedObjectContext(.privateQueue)
                    child.parent = container.viewContext
                    try await child.perform {
                        child.make("Author", ["name": "Author \(number)"])
                        try child.save()
                        #expect(try child.all("Author", "name == 'Author \(number)'").count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        let main = container.viewContext
        let names = try await main.perform { try main.all("Author").compactMap { $0.text("name") } }
        #expect(Set(names).count == 8)
    }

    @Test("With automatic merging a child takes over what the parent saves, what a sibling has saved included")
    func automaticMerging() async throws {
        let (stack, parent, child) = try tree()
        defer { withExtendedLifetime(stack) {} }
        let sibling = NSManagedObjectContext(.privateQueue)
        sibling.parent = parent
        child.automaticallyMergesChangesFromParent = true
        let id = try await parent.perform {
            let book = parent.makeBook("One")
            try parent.save()
            return book.objectID
        }
        let mine = try await child.perform { try child.existingObject(with: id) }
        try await sibling.perform {
            try sibling.existingObject(with: id).setValue("Two", forKey: "title")
            try sibling.save()
        }
        #expect(await child.perform(schedule: .enqueued) { mine.text("title") } == "One")
        try await parent.perform { try parent.save() }
        #expect(await child.perform(schedule: .enqueued) { mine.text("title") } == "Two")
        try await parent.perform {
            parent.object(with: id).setValue("Three", forKey: "title")
            try parent.save()
        }
        #expect(await child.perform(schedule: .enqueued) { mine.text("title") } == "Three")
    }

    @Test("With automatic merging at every level a save to the store reaches the grandchild")
    func mergingThroughLevels() async throws {
        let (stack, parent, child) = try tree()
        parent.automaticallyMergesChangesFromParent = true
        child.automaticallyMergesChangesFromParent = true
        let writer = stack.queueContext()
        let id = try await writer.perform {
            let book = writer.makeBook("One")
            try writer.save()
            return book.objectID
        }
        let mine = try await child.perform { try child.existingObject(with: id) }
        try await writer.perform {
            try writer.existingObject(with: id).setValue("Two", forKey: "title")
            try writer.save()
        }
        // The writer's save is merged on the parent's queue, and that on the child's.
        await parent.perform(schedule: .enqueued) {}
        #expect(await child.perform(schedule: .enqueued) { mine.text("title") } == "Two")
    }

    @Test("Without it a child keeps what it has read until it is refreshed or merges")
    func manualMerging() async throws {
        let (stack, parent, child) = try tree()
        defer { withExtendedLifetime(stack) {} }
        let id = try await parent.perform {
            let book = parent.makeBook("One")
            try parent.save()
            return book.objectID
        }
        let mine = try await child.perform { try child.existingObject(with: id) }
        try await parent.perform {
            parent.object(with: id).setValue("Two", forKey: "title")
            try parent.save()
        }
        #expect(await child.perform(schedule: .enqueued) { mine.text("title") } == "One")
        await child.perform {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [child])
        }
        #expect(await child.perform(schedule: .enqueued) { mine.text("title") } == "Two")
    }

    @Test("Memory: the parent keeps no objects for a child that has let go of them")
    func memory() async throws {
        let (stack, parent, child) = try tree()
        defer { withExtendedLifetime(stack) {} }
        try await child.perform {
            for number in 0..<50 { child.makeBook("Book \(number)") }
            try child.save()
        }
        try await parent.perform { try parent.save() }
        await child.perform { child.reset() }
        let kept = await parent.perform { parent.registeredObjects.count }
        #expect(kept == 0)
    }
}
