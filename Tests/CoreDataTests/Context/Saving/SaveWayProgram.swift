import CoreData
import TestSupport
import Testing

/// Random edits of one context, while somebody else saves others before or after them.
@MainActor
final class SaveWayProgram {
    /// What was done, in words.
    private(set) var log: [String] = []
    /// Whether the others have only set attributes and inserted objects without relationships.
    let othersOnlySet: Bool
    private let policy: NSMergePolicy
    private let stack: SaveWayStack
    private var random: SeededGenerator
    private var own: [String: [NSManagedObject]] = [:]
    private var theirs: [String: [NSManagedObject]] = [:]

    init(_ way: SaveWay, _ type: String, seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        othersOnlySet = Bool.random(using: &random)
        policy = policies.randomElement(using: &random) ?? .error
        stack = try SaveWayStack(way, type, policy: policy)
    }

    /// - Returns: with which error the save ended, and what the store holds.
    func run() throws -> [String] {
        try fill()
        try stack.begin()
        own = try SaveWayStack.read(stack.editor)
        theirs = try SaveWayStack.read(stack.other)
        try stack.saveAs()
        let elsewhere = Int.random(in: 0..<5, using: &random)
        let theySaveFirst = Bool.random(using: &random)
        if theySaveFirst { try editElsewhere(elsewhere) }
        let edits = Int.random(in: 1..<8, using: &random)
        for _ in 0..<edits { stack.edit { edit(isOwn: true) } }
        if !theySaveFirst { try editElsewhere(elsewhere) }
        let code = try stack.end(editing: edits)
        return ["\(policy.mergeType) \(code)"] + (try stack.contents())
    }

    private func fill() throws {
        let context = stack.other
        let people = (0..<2).map { context.make("Person", ["key": "p\($0)"]) }
        let tags = (0..<3).map { context.make("Tag", ["key": "t\($0)"]) }
        let notes = (0..<4).map { index in
            let note = context.make(Bool.random(using: &random) ? "Note" : "Memo", ["key": "k\(index)", "text": "old"])
            note.setValue(Int.random(in: 0..<100, using: &random), forKey: "size")
            note.setValue(people.randomElement(using: &random), forKey: "owner")
            note.setValue(Set(tags.filter { _ in Bool.random(using: &random) }), forKey: "tags")
            return note
        }
        for index in 0..<4 {
            context.make("Line", ["key": "l\(index)"]).setValue(notes.randomElement(using: &random), forKey: "note")
        }
        try context.save()
    }

    private func editElsewhere(_ count: Int) throws {
        for _ in 0..<count { edit(isOwn: false) }
        try stack.other.save()
    }

    // MARK: Edits

    private func edit(isOwn: Bool) {
        let mayRelate = isOwn || !othersOnlySet
        switch Int.random(in: 0..<(mayRelate ? 12 : 6), using: &random) {
        case 0, 1, 2: insertNote(isOwn, mayRelate: mayRelate)
        case 3, 4: set("size", Int.random(in: 0..<100, using: &random), isOwn)
        case 5: set("text", Bool.random(using: &random) ? "t\(log.count)" : nil, isOwn)
        case 6: if isOwn { set("key", "k\(Int.random(in: 0..<8, using: &random))", isOwn) }
        case 7:
            let line = insert("Line", (isOwn ? "m" : "n") + "\(log.count)", isOwn)
            relate(line, "note", pick("Note", isOwn), isOwn)
        case 8:
            let name = ["Note", "Line", "Person", "Tag"].randomElement(using: &random) ?? "Note"
            guard let gone = pick(name, isOwn) else { return }
            say(isOwn, "deletes \(key(gone))")
            gone.managedObjectContext?.delete(gone)
        case 9:
            guard let note = pick("Note", isOwn) else { return }
            relate(note, "owner", Bool.random(using: &random) ? pick("Person", isOwn) : nil, isOwn)
        case 10:
            guard let line = pick("Line", isOwn) else { return }
            relate(line, "note", pick("Note", isOwn), isOwn)
        default:
            guard let note = pick("Note", isOwn), let tag = pick("Tag", isOwn) else { return }
            let tags = note.mutableSetValue(forKey: "tags")
            say(isOwn, "toggles \(key(tag)) of \(key(note))")
            if tags.contains(tag) { tags.remove(tag) } else { tags.add(tag) }
        }
        (isOwn ? stack.editor : stack.other).processPendingChanges()
    }

    /// Own notes may have the key of any other; those of others have one that nobody has saved.
    private func insertNote(_ isOwn: Bool, mayRelate: Bool) {
        let taken = isOwn ? [] : Set((theirs["Note"] ?? []).map(key))
        let keys = (isOwn ? 0..<8 : 4..<12).map { "k\($0)" }.filter { !taken.contains($0) }
        guard let new = keys.randomElement(using: &random) else { return }
        let note = insert(Bool.random(using: &random) ? "Note" : "Memo", new, isOwn)
        let attributes: [(String, [Any?])] = [("size", [3, 5, 7]), ("text", ["new", nil]), ("extra", [2.5])]
        for (name, values) in attributes where note.entity.attributesByName[name] != nil {
            guard Bool.random(using: &random), let value = values.randomElement(using: &random) else { continue }
            say(isOwn, "with \(name) \(value ?? "nil")")
            note.setValue(value, forKey: name)
        }
        guard mayRelate else { return }
        if Bool.random(using: &random) { relate(note, "owner", pick("Person", isOwn), isOwn) }
        if Bool.random(using: &random), let line = pick("Line", isOwn) { relate(line, "note", note, isOwn) }
    }

    private func insert(_ entity: String, _ key: String, _ isOwn: Bool) -> NSManagedObject {
        say(isOwn, "inserts \(entity) \(key)")
        let object = (isOwn ? stack.editor : stack.other).make(entity, ["key": key])
        let name = entity == "Memo" ? "Note" : entity
        if isOwn { own[name]?.append(object) } else { theirs[name]?.append(object) }
        return object
    }

    private func set(_ name: String, _ value: Any?, _ isOwn: Bool) {
        guard let note = pick("Note", isOwn) else { return }
        say(isOwn, "sets \(name) of \(key(note)) to \(value ?? "nil")")
        note.setValue(value, forKey: name)
    }

    private func relate(_ object: NSManagedObject, _ name: String, _ to: NSManagedObject?, _ isOwn: Bool) {
        say(isOwn, "sets \(name) of \(key(object)) to \(key(to))")
        object.setValue(to, forKey: name)
    }

    private func pick(_ name: String, _ isOwn: Bool) -> NSManagedObject? {
        let all = (isOwn ? own : theirs)[name] ?? []
        return all.filter { !$0.isDeleted && $0.managedObjectContext != nil }.randomElement(using: &random)
    }

    private func key(_ object: NSManagedObject?) -> String {
        object.map { $0.managedObjectContext == nil ? "gone" : $0.text("key") ?? "nil" } ?? "nil"
    }

    private func say(_ isOwn: Bool, _ text: String) { log.append((isOwn ? "own " : "other ") + text) }
}
