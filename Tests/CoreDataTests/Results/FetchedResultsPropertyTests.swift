import CoreData
import Testing

@Suite("After random changes a fetched results controller is what a fetch gives, and so is a copy that follows it")
struct FetchedResultsPropertyTests {
    /// Each seed is 50 batches of changes. COREDATA_RESULT_SEEDS=100 makes 5,000.
    private static let seeds =
        UInt64(0)..<(ProcessInfo.processInfo.environment["COREDATA_RESULT_SEEDS"].flatMap(UInt64.init) ?? 10)

    @Test("Sections, objects and callbacks agree after every batch", arguments: seeds)
    func batches(seed: UInt64) throws {
        var run = try RandomResults(seed: seed)
        for batch in 0..<50 {
            let actions = try run.change()
            let problems = try run.problems()
            try #require(problems == [], "seed \(seed), batch \(batch): \(problems) after \(actions)")
        }
    }
}

/// A library whose books change at random, and a controller over those in print, by number of copies.
private struct RandomResults {
    private let stack: TemporaryStack
    private let context: NSManagedObjectContext
    private let other: NSManagedObjectContext
    private let controller: NSFetchedResultsController<NSManagedObject>
    private let delegate = RecordingDelegate()
    private let manager = UndoManager()
    private var generator: SeededGenerator
    private var nextPage = 1

    init(seed: UInt64) throws {
        stack = try TemporaryStack(storeType: seed.isMultiple(of: 2) ? NSSQLiteStoreType : NSInMemoryStoreType)
        context = stack.context()
        other = stack.context()
        generator = SeededGenerator(seed: seed)
        manager.groupsByEvent = false
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "inPrint == YES")
        // The number of pages is different for each book, so that there is one order only.
        request.sortDescriptors = ["copies", "title", "pages"].map { NSSortDescriptor(key: $0, ascending: true) }
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: seed % 5 == 4 ? nil : "copies", cacheName: nil)
        for _ in 0..<30 { insert() }
        try context.save()
        context.undoManager = manager
        controller.delegate = delegate
        try controller.performFetch()
        delegate.copy(controller)
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func insert() {
        context.makeBook(
            "title \(number(0..<3))",
            ["copies": number(0..<6), "inPrint": number(0..<4) > 0, "pages": nextPage])
        nextPage += 1
    }

    private mutating func anyBook(in context: NSManagedObjectContext) throws -> NSManagedObject? {
        try context.all("Book", sort: "pages").randomElement(using: &generator)
    }

    mutating func change() throws -> [String] {
        manager.beginUndoGrouping()
        var actions: [String] = []
        for _ in 0..<number(1..<9) { actions.append(try step()) }
        context.processPendingChanges()
        manager.endUndoGrouping()
        switch number(0..<8) {
        case 0: try context.save()
        case 1: try saveElsewhere()
        case 2: context.rollback()
        case 3: if manager.canUndo { context.undo() }
        default: return actions
        }
        context.processPendingChanges()
        return actions + ["and saved, merged, rolled back or undone"]
    }

    private mutating func step() throws -> String {
        let choice = number(0..<10)
        if choice < 2 {
            insert()
            return "insert"
        }
        guard let book = try anyBook(in: context) else { return "nothing" }
        switch choice {
        case 2: context.delete(book)
        case 3: context.refresh(book, mergeChanges: true)
        case 4, 5: book.setValue(number(0..<6), forKey: "copies")
        case 6: book.setValue(number(0..<2) == 0, forKey: "inPrint")
        case 7: for same in try context.all("Book", "copies == 1") { same.setValue(number(0..<3), forKey: "copies") }
        default: book.setValue("title \(number(0..<3))", forKey: "title")
        }
        return "\(choice) on \(book.value(forKey: "pages") ?? "?")"
    }

    private mutating func saveElsewhere() throws {
        nonisolated(unsafe) var saved: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { saved = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        other.refreshAllObjects()
        if let book = try anyBook(in: other) { book.setValue(number(0..<6), forKey: "copies") }
        other.makeBook("title 1", ["copies": number(0..<6), "pages": nextPage])
        nextPage += 1
        if number(0..<3) == 0, let book = try anyBook(in: other) { other.delete(book) }
        try other.save()
        if let saved { context.mergeChanges(fromContextDidSave: saved) }
    }

    func problems() throws -> [String] {
        var found = delegate.problems
        let fresh = try context.fetch(controller.fetchRequest)
        if controller.fetchedObjects ?? [] != fresh { found.append("other objects than a fetch gives") }
        let hasSections = controller.sectionNameKeyPath != nil
        var expected: [(name: String, objects: [NSManagedObject])] = hasSections ? [] : [("", fresh)]
        for object in hasSections ? fresh : [] {
            let name = "\(object.value(forKey: "copies") ?? "")"
            if expected.last?.name != name { expected.append((name, [])) }
            expected[expected.count - 1].objects.append(object)
        }
        let sections = controller.sections ?? []
        if sections.map(\.name) != expected.map(\.name) { found.append("other sections than a fetch gives") }
        if sections.map({ $0.objects as? [NSManagedObject] ?? [] }) != expected.map(\.objects) {
            found.append("other objects in sections")
        }
        if delegate.sections.map(\.name) != sections.map(\.name) { found.append("the copy has other sections") }
        if delegate.sections.map(\.objects) != expected.map(\.objects) { found.append("the copy has other objects") }
        for (index, object) in fresh.enumerated() where index.isMultiple(of: 7) {
            let path = controller.indexPath(forObject: object)
            if path.map({ controller.object(at: $0) }) !== object { found.append("another object at \(path as Any)") }
        }
        return found
    }
}
