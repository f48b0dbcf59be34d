import CoreData
import Foundation
import Testing

@Suite("Live sets of an object's relationships")
@MainActor
struct LiveSetTests {
    private typealias Change<Collection> = (Collection, [NSManagedObject], inout SeededGenerator) -> Void

    private static let orderedChanges: [(String, Change<NSMutableOrderedSet>)] = [
        ("add", { $0.add($1.randomElement(using: &$2)!) }),
        ("addObjects", { $0.addObjects(from: Array($1.shuffled(using: &$2).prefix(3))) }),
        ("insert", { $0.insert($1.randomElement(using: &$2)!, at: Int.random(in: 0...$0.count, using: &$2)) }),
        ("remove", { $0.remove($1.randomElement(using: &$2)!) }),
        ("removeObject(at:)", { if $0.count > 0 { $0.removeObject(at: Int.random(in: 0..<$0.count, using: &$2)) } }),
        ("removeObjects(in:)", { $0.removeObjects(in: Array($1.shuffled(using: &$2).prefix(2))) }),
        ("removeObjects(in: range)", { set, _, _ in if set.count > 2 { set.removeObjects(in: NSRange(0..<2)) } }),
        ("removeObjects(at:)", { set, _, _ in if set.count > 2 { set.removeObjects(at: [0, 2]) } }),
        ("removeAllObjects", { set, _, _ in set.removeAllObjects() }),
        ("union", { $0.union(NSOrderedSet(array: Array($1.shuffled(using: &$2).prefix(3)))) }),
        ("minus", { $0.minus(NSOrderedSet(array: Array($1.shuffled(using: &$2).prefix(3)))) }),
        ("unionSet", { $0.unionSet([$1.randomElement(using: &$2)!]) }),
        ("minusSet", { $0.minusSet(Set($1.shuffled(using: &$2).prefix(3))) }),
        ("intersectSet", { $0.intersectSet(Set($1.shuffled(using: &$2).prefix(6))) }),
        (
            "exchangeObject",
            { set, _, generator in
                guard set.count > 1 else { return }
                set.exchangeObject(at: 0, withObjectAt: Int.random(in: 0..<set.count, using: &generator))
            }
        ),
        ("moveObjects", { set, _, _ in if set.count > 2 { set.moveObjects(at: [0, 2], to: 1) } }),
        (
            "insert(at:)",
            { set, objects, generator in
                let new = objects.filter { !set.contains($0) }.shuffled(using: &generator).prefix(2)
                if new.count == 2, set.count > 1 { set.insert(Array(new), at: [0, 2]) }
            }
        ),
        (
            "replaceObject",
            { set, objects, generator in
                let new = objects.filter { !set.contains($0) }.randomElement(using: &generator)
                if let new, set.count > 0 { set.replaceObject(at: set.count - 1, with: new) }
            }
        ),
        (
            "replaceObjects(at:)",
            { set, objects, generator in
                let new = objects.filter { !set.contains($0) }.randomElement(using: &generator)
                if let new, set.count > 1 { set.replaceObjects(at: [1], with: [new]) }
            }
        ),
        (
            "setObject",
            { set, objects, generator in
                let new = objects.filter { !set.contains($0) }.randomElement(using: &generator)
                if let new { set.setObject(new, at: set.count) }
            }
        ),
        ("sort", { set, _, _ in set.sort(comparator: { Self.label($1).compare(Self.label($0)) }) }),
        (
            "sort(options:)",
            { set, _, _ in set.sort(options: .stable, usingComparator: { Self.label($0).compare(Self.label($1)) }) }
        ),
        (
            "sort(using:)", { set, _, _ in set.sort(using: [NSSortDescriptor(key: "label", ascending: true)]) }
        ),
        (
            "sortRange",
            { set, _, _ in
                guard set.count > 2 else { return }
                set.sortRange(NSRange(1..<set.count), usingComparator: { Self.label($0).compare(Self.label($1)) })
            }
        ),
        ("filter", { set, _, _ in set.filter(using: NSPredicate(format: "label != 'c'")) }),
    ]

    private static let changes: [(String, Change<NSMutableSet>)] = [
        ("add", { $0.add($1.randomElement(using: &$2)!) }),
        ("addObjects", { $0.addObjects(from: Array($1.shuffled(using: &$2).prefix(3))) }),
        ("remove", { $0.remove($1.randomElement(using: &$2)!) }),
        ("removeAllObjects", { set, _, _ in set.removeAllObjects() }),
        ("union", { $0.union(Set($1.shuffled(using: &$2).prefix(3))) }),
        ("minus", { $0.minus(Set($1.shuffled(using: &$2).prefix(3))) }),
        ("intersect", { $0.intersect(Set($1.shuffled(using: &$2).prefix(6))) }),
        ("setSet", { $0.setSet(Set($1.shuffled(using: &$2).prefix(4))) }),
        ("filter", { set, _, _ in set.filter(using: NSPredicate(format: "name != 'c'")) }),
    ]

    private static func label(_ object: Any) -> String { (object as? NSManagedObject)?.text("label") ?? "" }

    /// Does the same random changes to a live set, or to one made anew for each, and to a plain one, comparing after each; saves now
    /// and then.
    private func compare<Collection: AnyObject>(
        _ changes: [(String, Change<Collection>)], of key: String, member: String, inverse: String,
        live: (NSManagedObject) -> Collection, plain: () -> Collection, seen: (Collection) -> [NSManagedObject],
        isEqual: ([NSManagedObject], [NSManagedObject]) -> Bool, isMadeAnew: Bool = false
    ) throws {
        for seed in UInt64(0)..<40 {
            var generator = SeededGenerator(seed: seed)
            let stack = try ThingStack()
            let owner = try stack.thing("owner")
            let name = member == "Mark" ? "label" : "name"
            let objects = "abcdefgh".map { stack.context.make(member, [name: String($0)]) }
            try stack.context.save()
            let (first, expected) = (live(owner), plain())
            for step in 0..<30 {
                let live = isMadeAnew ? live(owner) : first
                let (name, change) = changes.randomElement(using: &generator)!
                var again = generator
                change(expected, objects, &again)
                change(live, objects, &generator)
                let wanted = seen(expected)
                let members = NSManagedObject.list(owner.value(forKey: key))
                let others = objects.filter { NSManagedObject.list($0.value(forKey: inverse)).contains(owner) }
                let same =
                    isEqual(members, wanted) && isEqual(seen(live), wanted) && Set(others) == Set(wanted)
                #expect(same, "seed \(seed), step \(step): \(name) left \(members), not \(wanted)")
                guard same else { return }
                if step % 7 == 6 { try stack.context.save() }
                if step % 11 == 10 { stack.context.refresh(owner, mergeChanges: true) }
            }
        }
    }

    @Test(
        "An ordered one changes its relationship as a plain ordered set changes, by every method, inverses included",
        arguments: [false, true])
    func ordered(isMadeAnew: Bool) throws {
        try compare(
            Self.orderedChanges, of: "steps", member: "Mark", inverse: "stepOf",
            live: { $0.mutableOrderedSetValue(forKey: "steps") }, plain: { NSMutableOrderedSet() },
            seen: { $0.array.compactMap { $0 as? NSManagedObject } }, isEqual: ==, isMadeAnew: isMadeAnew)
    }

    @Test("An unordered one does so too, for one-to-many")
    func oneToMany() throws {
        try compare(
            Self.changes, of: "children", member: "Thing", inverse: "parent",
            live: { $0.mutableSetValue(forKey: "children") }, plain: { NSMutableSet() },
            seen: { $0.allObjects.compactMap { $0 as? NSManagedObject } }, isEqual: { Set($0) == Set($1) })
    }

    @Test("And for many-to-many")
    func manyToMany() throws {
        try compare(
            Self.changes, of: "liked", member: "Thing", inverse: "likedBy",
            live: { $0.mutableSetValue(forKey: "liked") }, plain: { NSMutableSet() },
            seen: { $0.allObjects.compactMap { $0 as? NSManagedObject } }, isEqual: { Set($0) == Set($1) })
    }

    @Test("An ordered one can be intersected, which Foundation's own can't")
    func intersection() throws {
        let stack = try ThingStack()
        let owner = try stack.thing()
        let marks = "abcd".map { stack.context.make("Mark", ["label": String($0)]) }
        let steps = owner.mutableOrderedSetValue(forKey: "steps")
        steps.addObjects(from: marks)
        steps.intersect(NSOrderedSet(array: [marks[3], marks[1]]))
        #expect(NSManagedObject.list(owner.value(forKey: "steps")) == [marks[1], marks[3]])
        #expect(marks[0].value(forKey: "stepOf") == nil)
    }

    @Test("An ordered one can be changed as an array, inverses included")
    func asArray() throws {
        let stack = try ThingStack()
        let owner = try stack.thing()
        let marks = "abc".map { stack.context.make("Mark", ["label": String($0)]) }
        let steps = owner.mutableArrayValue(forKey: "steps")
        steps.addObjects(from: marks)
        steps.insert(steps[2], at: 0)
        #expect(NSManagedObject.list(owner.value(forKey: "steps")) == [marks[2], marks[0], marks[1]])
        steps.removeObject(at: 1)
        #expect(NSManagedObject.list(owner.value(forKey: "steps")) == [marks[2], marks[1]])
        #expect(marks[0].value(forKey: "stepOf") == nil && steps.count == 2)
    }

    @Test("An object that is put in the place of another leaves the place that it had")
    func replacingByMember() throws {
        let stack = try ThingStack()
        let owner = try stack.thing()
        let marks = "abc".map { stack.context.make("Mark", ["label": String($0)]) }
        let steps = owner.mutableOrderedSetValue(forKey: "steps")
        steps.addObjects(from: marks)
        steps.replaceObject(at: 2, with: marks[0])
        #expect(NSManagedObject.list(owner.value(forKey: "steps")) == [marks[1], marks[0]])
        #expect(marks[2].value(forKey: "stepOf") == nil)
    }

    @Test("A live set shows what others change, and what is there after a refresh")
    func liveness() throws {
        let stack = try ThingStack()
        let owner = try stack.thing()
        let mark = stack.context.make("Mark", ["label": "a"])
        let steps = owner.mutableOrderedSetValue(forKey: "steps")
        let marks = owner.mutableSetValue(forKey: "marks")
        mark.setValue(owner, forKey: "stepOf")
        mark.setValue(owner, forKey: "owner")
        #expect(steps.array.count == 1 && steps.contains(mark))
        #expect(marks.allObjects.count == 1 && marks.contains(mark))
        try stack.context.save()
        mark.setValue(nil, forKey: "stepOf")
        stack.context.rollback()
        #expect(steps.count == 1)
        #expect((marks.copy() as? NSSet)?.count == 1)
    }

    enum Way: CaseIterable {
        case liveSet, newLiveSets, destination, wholeValue, removal
    }

    /// The processor time that it takes to add or remove so many members.
    private func seconds(_ way: Way, _ count: Int) throws -> Double {
        let stack = try ThingStack()
        let owner = try stack.thing()
        let marks = (0..<count).map { _ in stack.context.make("Mark") }
        let steps = owner.mutableOrderedSetValue(forKey: "steps")
        if way == .removal { owner.setValue(NSOrderedSet(array: marks), forKey: "steps") }
        let start = ThreadTime.seconds
        switch way {
        case .liveSet: for mark in marks { steps.add(mark) }
        case .newLiveSets: for mark in marks { owner.mutableOrderedSetValue(forKey: "steps").add(mark) }
        case .destination: for mark in marks { mark.setValue(owner, forKey: "stepOf") }
        case .wholeValue: owner.setValue(NSOrderedSet(array: marks), forKey: "steps")
        case .removal: for mark in marks { steps.remove(mark) }
        }
        let seconds = ThreadTime.seconds - start
        #expect(NSManagedObject.list(owner.value(forKey: "steps")) == (way == .removal ? [] : marks))
        return seconds
    }

    @Test("To change members of an ordered one takes a time that grows as their number", arguments: Way.allCases)
    func manyMembers(_ way: Way) throws {
        // Four times as many: quadratic would be 16.
        let (few, many) = (try seconds(way, 1_000), try seconds(way, 4_000))
        #expect(many < 10 * few, "\(few) s, then \(many) s")
    }

    /// A set of a program's own, as subclasses of Foundation's on Linux are not bridged to Swift's.
    private final class OwnSet: NSSet {
        private var members = NSSet()
        convenience init(own members: [NSManagedObject]) {
            self.init()
            self.members = NSSet(array: members)
        }
        override var count: Int { members.count }
        override func member(_ object: Any) -> Any? { members.member(object) }
        override func objectEnumerator() -> NSEnumerator { members.objectEnumerator() }
    }

    private final class OwnOrderedSet: NSOrderedSet {
        private var members: [NSManagedObject] = []
        required convenience init?(coder: NSCoder) { nil }
        required convenience init(arrayLiteral elements: Any...) { self.init(objects: nil, count: 0) }
        convenience init(own members: [NSManagedObject]) {
            self.init(objects: nil, count: 0)
            self.members = members
        }
        override var count: Int { members.count }
        override func object(at index: Int) -> Any { members[index] }
        override func index(of object: Any) -> Int { members.firstIndex { $0 === object as AnyObject } ?? NSNotFound }
    }

    @Test("What is live can be given to a relationship, a predicate and an initialiser of a set, as any set can")
    func passedOn() throws {
        let stack = try ThingStack()
        let (first, second) = (try stack.thing("1"), try stack.thing("2"))
        let child = try stack.thing("child", ["parent": first])
        let live = first.mutableSetValue(forKey: "children")
        first.setValue(live, forKey: "children")
        #expect(first.members("children") == [child])
        first.setPrimitiveValue(live, forKey: "children")
        #expect(first.members("children") == [child])
        second.setValuesForKeys(["liked": first.mutableSetValue(forKey: "children")])
        #expect(second.members("liked") == [child])
        second.setValue(first.primitiveValue(forKey: "children"), forKey: "likedBy")
        #expect(second.members("likedBy") == [child])
        first.setValue(OwnSet(own: [child, second]), forKey: "liked")
        #expect(first.members("liked") == [child, second])
        let marks = ["a", "b"].map { stack.context.make("Mark", ["label": $0]) }
        first.setValue(OwnOrderedSet(own: marks), forKey: "steps")
        #expect((first.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] == marks)
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: "NOT (SELF IN %@)", OwnOrderedSet(own: [first, second]))
        #expect(try stack.context.fetch(request) == [child])
        for set in [first.mutableSetValue(forKey: "children"), try #require(first.primitiveValue(forKey: "children"))] {
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [set])
            #expect(try stack.context.fetch(request) == [child])
        }
        #expect(Set<NSManagedObject>(bridging: live) == [child])
        #expect(Set<NSAttributeDescription>(bridging: live) == nil)
    }

    @Test(
        "An ordered relationship's value stays as it was read, and what is changed in it is changed in the relationship"
    )
    func valueInPlace() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        let marks = (0..<4).map { stack.context.make("Mark", ["label": "\($0)"]) }
        thing.setValue(NSOrderedSet(array: Array(marks.prefix(3))), forKey: "steps")
        try stack.context.save()
        func steps() -> [NSManagedObject] { Self.array(thing.value(forKey: "steps")) }
        let read = try #require(thing.value(forKey: "steps") as? NSMutableOrderedSet)
        thing.mutableOrderedSetValue(forKey: "steps").removeObject(at: 0)
        #expect(Self.array(read) == Array(marks.prefix(3)) && steps() == [marks[1], marks[2]])
        try stack.context.save()
        let other = try #require(thing.value(forKey: "steps") as? NSMutableOrderedSet)
        other.add(marks[3])
        #expect(stack.context.hasChanges && steps().last === marks[3])
        #expect(Self.array(other) == [marks[1], marks[2], marks[3]] && steps() == Self.array(other))
        other.remove(marks[1])
        other.exchangeObject(at: 0, withObjectAt: 1)
        #expect(Self.array(other) == [marks[3], marks[2]] && steps() == Self.array(other))
        try stack.context.save()
        stack.context.refreshAllObjects()
        #expect(steps() == [marks[3], marks[2]])
    }

    private static func array(_ value: Any?) -> [NSManagedObject] {
        (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
    }
}

extension NSManagedObject {
    fileprivate static func list(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let object as NSManagedObject: [object]
        default: []
        }
    }
}
