import CoreData
import Foundation
import Testing

@Suite("The cache of a results controller's sections")
@MainActor
struct SectionCacheTests {
    private static func cacheFile(_ name: String) throws -> URL {
        let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        let caches = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        return caches.appendingPathComponent(program.replacingOccurrences(of: "/", with: "_"))
            .appendingPathComponent("CoreData sections").appendingPathComponent("\(name).json")
    }

    private func controller(
        _ context: NSManagedObjectContext, cache name: String
    ) throws -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "title", cacheName: name)
        try controller.performFetch()
        return controller
    }

    private func sections(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: (controller.sections ?? []).map { section in
                let objects = (section.objects ?? []).compactMap { $0 as? NSManagedObject }
                return (section.name, objects.compactMap { $0.value(forKey: "title") as? String })
            })
    }

    private func uniqueName() -> String { "cache" + UUID().uuidString.filter(\.isLetter) }

    @Test("Nobody else may look into the folder of caches")
    func mode() throws {
        let name = uniqueName()
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        let tree = try ContextTree()
        tree.root.makeBook("a")
        try tree.root.save()
        _ = try controller(tree.sibling(), cache: name)
        let file = try Self.cacheFile(name)
        #expect(FileManager.default.fileExists(atPath: file.path))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.deletingLastPathComponent().path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    @Test("Sections of a context that hasn't merged what others have saved aren't those of the next start")
    func unmerged() throws {
        let name = uniqueName()
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        let tree = try ContextTree()
        let books = ["a", "a", "b"].map { tree.root.makeBook($0) }
        try tree.root.save()
        let shown = try controller(tree.root, cache: name)
        let delegate = Follower()
        shown.delegate = delegate
        let other = tree.sibling()
        try other.existingObject(with: books[1].objectID).setValue("b", forKey: "title")
        try other.save()
        tree.root.makeBook("c")
        try tree.root.save()
        #expect(sections(try controller(tree.sibling(), cache: name)) == ["a": ["a"], "b": ["b", "b"], "c": ["c"]])
    }

    @Test("Sections of objects that were read before others changed them aren't those of the next start")
    func stale() throws {
        let name = uniqueName()
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        let tree = try ContextTree()
        let books = ["a", "a", "b"].map { tree.root.makeBook($0) }
        try tree.root.save()
        let other = tree.sibling()
        try other.existingObject(with: books[1].objectID).setValue("b", forKey: "title")
        try other.save()
        // The fetch doesn't refresh what is registered.
        #expect(sections(try controller(tree.root, cache: name))["a"]?.count == 2)
        #expect(sections(try controller(tree.sibling(), cache: name)) == ["a": ["a"], "b": ["b", "b"]])
    }

    @Test("A context's own saves keep the cache good")
    func ownSaves() throws {
        let name = uniqueName()
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        let tree = try ContextTree()
        for title in ["a", "a", "b"] { tree.root.makeBook(title) }
        try tree.root.save()
        let shown = try controller(tree.root, cache: name)
        let delegate = Follower()
        shown.delegate = delegate
        let before = try Data(contentsOf: Self.cacheFile(name))
        tree.root.makeBook("b")
        try tree.root.save()
        #expect(try Data(contentsOf: Self.cacheFile(name)) != before)
        #expect(sections(try controller(tree.sibling(), cache: name)) == ["a": ["a", "a"], "b": ["b", "b"]])
    }

    @Test(
        "A file that doesn't fit the objects is none",
        arguments: [
            [("a", 9_223_372_036_854_775_807), ("b", 9_223_372_036_854_775_807), ("c", 5)], [("a", 1), ("a", 2)],
            [("a", 4), ("b", -1)], [("a", 3), ("b", 0)],
        ])
    func hostile(_ runs: [(String, Int)]) throws {
        let name = uniqueName()
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        let tree = try ContextTree()
        for title in ["a", "a", "b"] { tree.root.makeBook(title) }
        try tree.root.save()
        _ = try controller(tree.root, cache: name)
        let file = try Self.cacheFile(name)
        var contents = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        contents["runs"] = runs.map { ["name": $0.0, "count": $0.1] as [String: Any] }
        try JSONSerialization.data(withJSONObject: contents).write(to: file)
        #expect(sections(try controller(tree.sibling(), cache: name)) == ["a": ["a", "a"], "b": ["b"]])
    }
}

/// Makes a controller follow its context.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
}
