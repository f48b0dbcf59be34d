import CoreData
import Foundation
import Testing

/// Random programs over two contexts of one coordinator and a child of the first, which save over each other's changes with a
/// merge policy, and take over what others have saved at times, or never.
@Suite("Saves that conflict leave every relationship the same from both sides, over every store type")
struct ConflictProgramTests {
    static let seeds = ProgramSeeds.seeds(from: 20_000, usually: 120)

    @Test(
        "After each save the store's objects agree, lead to none that has gone, and are what a new stack reads",
        arguments: seeds)
    func program(seed: UInt64) throws {
        let program = try ConflictProgram(seed: seed, storeType: Library.storeTypes[Int(seed % 4)])
        try NSManagedObjectContext.performAndWait(in: program.family) { try run(program, seed) }
    }

    private func run(_ program: ConflictProgram, _ seed: UInt64) throws {
        let place = "seed \(seed), \(program.storeType), \(program.policy)"
        for step in 0..<40 {
            let differences = try program.step()
            try #require(differences == [], "\(place), step \(step): \(differences) after \(program.actions)")
        }
        let differences = try program.end()
        #expect(differences == [], "\(place), at the end: \(differences) after \(program.actions)")
    }

    @Test("A merge policy that lets one of two to-ones win leaves the loser's list without the member")
    func oneMember() throws {
        for storeType in Library.storeTypes {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let (first, second) = (stack.context(), stack.context())
            second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let book = first.make("Book", ["name": "b"])
            let shelves = ["s", "t"].map { first.make("Shelf", ["name": $0]) }
            try first.save()
            func mine(_ object: NSManagedObject) -> NSManagedObject { second.object(with: object.objectID) }
            mine(book).setValue(mine(shelves[1]), forKey: "shelf")
            _ = mine(shelves[0]).value(forKey: "books")
            book.setValue(shelves[0], forKey: "shelf")
            try first.save()
            try second.save()
            #expect(try Relationships.differences(in: stack.reopened()) == [], "\(storeType)")
            #expect(try Relationships.differences(in: stack.context()) == [], "\(storeType)")
        }
    }

    @Test("An object that one context deletes is no member in the store, wherever another one has put it")
    func deletedMember() throws {
        for storeType in Library.storeTypes {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let (first, second) = (stack.context(), stack.context())
            let book = first.make("Book", ["name": "b"])
            let (shelf, genre) = (first.make("Shelf", ["name": "s"]), first.make("Genre", ["name": "g"]))
            try first.save()
            let gone = second.object(with: book.objectID)
            _ = (gone.text("name"), gone.value(forKey: "shelf"), gone.members("genres"))
            second.mergePolicy = NSMergePolicy.overwrite
            book.setValue(shelf, forKey: "shelf")
            genre.mutableOrderedSetValue(forKey: "books").add(book)
            try first.save()
            second.delete(gone)
            try second.save()
            #expect(try Relationships.differences(in: stack.context()) == [], "\(storeType)")
            #expect(try Relationships.differences(in: stack.reopened()) == [], "\(storeType)")
        }
    }

    @Test("Members that others have added stay when an object is saved for another reason")
    func staleMembers() throws {
        for storeType in Library.storeTypes {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let (first, second) = (stack.context(), stack.context())
            second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let genre = first.make("Genre", ["name": "g"])
            let books = ["a", "b", "c"].map { first.make("Book", ["name": $0]) }
            try first.save()
            let mine = second.object(with: genre.objectID)
            _ = mine.value(forKey: "books")
            genre.setValue(NSOrderedSet(array: [books[0], books[1]]), forKey: "books")
            try first.save()
            mine.setValue("h", forKey: "name")
            mine.mutableOrderedSetValue(forKey: "books").add(second.object(with: books[2].objectID))
            try second.save()
            let saved = try #require(stack.reopened().all("Genre").first)
            #expect(saved.text("name") == "h")
            let members = (saved.value(forKey: "books") as? NSOrderedSet)?.compactMap { $0 as? NSManagedObject }
            #expect(Set(members?.compactMap { $0.text("name") } ?? []) == ["a", "b", "c"], "\(storeType)")
        }
    }
}

private final class ConflictProgram {
    let storeType: String
    let policy: String
    private let stack: TemporaryStack
    private let source: ProgramSource
    private let contexts: [(name: String, context: NSManagedObjectContext)]
    private let saves: [SaveLog]
    private(set) var actions: [String] = []

    /// The first context and its child, in whose blocks the program runs.
    var family: [NSManagedObjectContext] { [contexts[0].context, contexts[2].context] }

    private static let policies: [(name: String, policy: NSMergePolicy)] = [
        ("error", .error), ("object trumps", .mergeByPropertyObjectTrump), ("store trumps", .mergeByPropertyStoreTrump),
        ("overwrite", .overwrite), ("rollback", .rollback),
    ]

    init(seed: UInt64, storeType: String) throws {
        self.storeType = storeType
        stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        source = ProgramSource(seed: seed)
        let (first, second) = (stack.queueContext(), stack.context())
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = first
        contexts = [("first", first), ("second", second), ("child", child)]
        let chosen = Self.policies[Int(seed / 4 % 5)]
        policy = chosen.name
        for (_, context) in contexts { context.mergePolicy = chosen.policy }
        if seed % 3 == 0 { for (_, context) in contexts { context.undoManager = UndoManager() } }
        saves = [SaveLog(first), SaveLog(second)]
        try first.performAndWait {
            for (entity, count) in [("Book", 4), ("Author", 2), ("Shelf", 3), ("Genre", 2), ("Cover", 2)] {
                for _ in 0..<count { insert(entity, in: first) }
            }
            try first.save()
        }
    }

    private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &source.generator) }

    private func insert(_ entity: String, in context: NSManagedObjectContext) {
        context.make(entity, ["name": "\(entity)\(source.nextNumber())"])
    }

    private func any(_ entity: String, in context: NSManagedObjectContext) throws -> NSManagedObject? {
        try context.all(entity, sort: "name").randomElement(using: &source.generator)
    }

    /// One step of one context; gives what is wrong when it was a save.
    func step() throws -> [String] {
        let index = random(0..<3)
        let (name, context) = contexts[index]
        let action = random(0..<20)
        actions.append("\(name): \(try act(action, in: context, index))")
        context.processPendingChanges()
        return action < 3 ? try differences() : []
    }

    private func act(_ action: Int, in context: NSManagedObjectContext, _ index: Int) throws -> String {
        switch action {
        case 0, 1, 2: return save(context)
        case 3, 4, 5: return try setDestination("shelf", "Shelf", in: context)
        case 6: return try setDestination("author", "Author", in: context)
        case 7, 8: return try setDestination("cover", "Cover", in: context)
        case 9: return try setDestination("book", "Book", of: "Cover", in: context)
        case 10, 11: return try toggle("Shelf", in: context)
        case 12, 13: return try toggle("Genre", in: context)
        case 14:
            guard let shelf = try any("Shelf", in: context), let books = shelf.value(forKey: "books") as? NSOrderedSet
            else { return "nothing" }
            shelf.setValue(NSOrderedSet(array: books.reversed()), forKey: "books")
            return "reverse \(shelf.text("name") ?? "")"
        case 15:
            let entity = ["Book", "Book", "Book", "Shelf", "Genre", "Cover"][random(0..<6)]
            guard let object = try any(entity, in: context) else { return "nothing" }
            let name = object.text("name") ?? ""
            context.delete(object)
            return "delete \(name)"
        case 16:
            insert(["Book", "Cover", "Shelf"][random(0..<3)], in: context)
            return "insert"
        case 17:
            guard let object = try any(["Book", "Shelf", "Genre"][random(0..<3)], in: context) else { return "nothing" }
            context.refresh(object, mergeChanges: random(0..<3) != 0)
            return "refresh \(object.text("name") ?? "")"
        case 18:
            guard index < 2 else { return "nothing" }
            for notification in saves[1 - index].take() { context.mergeChanges(fromContextDidSave: notification) }
            return "merge"
        default:
            switch random(0..<4) {
            case 0:
                context.rollback()
                return "rollback"
            case 1:
                context.undo()
                return "undo"
            default: return "nothing"
            }
        }
    }

    private func setDestination(
        _ key: String, _ entity: String, of source: String = "Book", in context: NSManagedObjectContext
    ) throws -> String {
        guard let object = try any(source, in: context) else { return "nothing" }
        let destination = random(0..<4) == 0 ? nil : try any(entity, in: context)
        object.setValue(destination, forKey: key)
        return "\(object.text("name") ?? "").\(key) = \(destination?.text("name") ?? "nil")"
    }

    private func toggle(_ entity: String, in context: NSManagedObjectContext) throws -> String {
        guard let owner = try any(entity, in: context), let book = try any("Book", in: context) else {
            return "nothing"
        }
        let books = owner.mutableOrderedSetValue(forKey: "books")
        let isMember = books.contains(book)
        if isMember { books.remove(book) } else { books.insert(book, at: random(0..<books.count + 1)) }
        return "\(isMember ? "remove" : "add") \(book.text("name") ?? "") \(owner.text("name") ?? "")"
    }

    private func save(_ context: NSManagedObjectContext) -> String {
        do {
            try context.save()
            return "save"
        } catch {
            // As under the policy that leaves conflicts to the program.
            context.rollback()
            return "save fails \((error as NSError).code)"
        }
    }

    private func differences() throws -> [String] {
        let context = stack.context()
        var found = try Relationships.differences(in: context)
        #if DEBUG
            found += context.checkInvariants()
        #endif
        return found
    }

    func end() throws -> [String] {
        for (_, context) in contexts.reversed() { _ = save(context) }
        _ = save(contexts[0].context)
        let other = try stack.reopened()
        let found = try differences() + Relationships.differences(in: other)
        if !found.isEmpty { return found }
        let (first, written) = (contexts[0].context, try Relationships.description(of: other))
        first.reset()
        let shown = try Relationships.description(of: first)
        return zip(shown, written).filter { $0 != $1 }.map { "\($0) is shown for \($1)" }
            + (shown.count == written.count ? [] : ["\(shown.count) objects are shown for \(written.count)"])
    }
}

/// What a context's objects say of their relationships.
enum Relationships {
    private static func objects(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
        return try model.entities.compactMap(\.name).sorted().flatMap { try context.all($0, sort: "name") }
    }

    private static func destinations(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
        switch object.value(forKey: key) {
        case let destination as NSManagedObject: [destination]
        case let set as NSOrderedSet: set.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: set.sorted { $0.text("name") ?? "" < $1.text("name") ?? "" }
        default: []
        }
    }

    /// The relationships whose other side says something else, or that lead to objects which aren't there.
    static func differences(in context: NSManagedObjectContext) throws -> [String] {
        let all = try objects(in: context)
        let there = Set(all)
        var found: [String] = []
        for object in all {
            for (name, relationship) in object.entity.relationshipsByName {
                let place = "\(object.text("name") ?? "").\(name)"
                for destination in destinations(object, name) {
                    if !there.contains(destination) {
                        found.append("\(place) leads to an object that has gone")
                    } else if let inverse = relationship.inverseRelationship?.name,
                        !destinations(destination, inverse).contains(object)
                    {
                        found.append("\(place) leads to \(destination.text("name") ?? ""), which doesn't lead back")
                    }
                }
            }
        }
        return found
    }

    static func description(of context: NSManagedObjectContext) throws -> [String] {
        try objects(in: context).map { object in
            let parts = object.entity.relationshipsByName.keys.sorted().map { key in
                "\(key): \(destinations(object, key).map { $0.text("name") ?? "" })"
            }
            return "\(object.text("name") ?? "") \(parts)"
        }
    }
}
