import Foundation
import FoundationCompat
import Testing

@Suite("Live views of an object's to-many keys")
struct MutableProxyTests {
    private final class Holder: NSObject, KeyPathCoding {
        var words: [String] = []

        static var keyPathsByKey: [String: AnyKeyPath] { ["words": \Holder.words] }
    }

    private static let words = ["a", "b", "c", "d", "e", "f"]

    /// A random change, done to a view and to a plain collection alike.
    private typealias Change<Collection> = @Sendable (Collection, inout SeededGenerator) -> Void

    private static let orderedSetChanges: [(String, Change<NSMutableOrderedSet>)] = [
        ("add", { $0.add(words.randomElement(using: &$1)!) }),
        ("addObjects", { $0.addObjects(from: [words.randomElement(using: &$1)!, "x"]) }),
        ("insert", { $0.insert(words.randomElement(using: &$1)!, at: Int.random(in: 0...$0.count, using: &$1)) }),
        ("remove", { $0.remove(words.randomElement(using: &$1)!) }),
        ("removeObject(at:)", { if $0.count > 0 { $0.removeObject(at: Int.random(in: 0..<$0.count, using: &$1)) } }),
        ("removeObjects(in:)", { $0.removeObjects(in: [words.randomElement(using: &$1)!, "x"]) }),
        ("removeAllObjects", { set, _ in set.removeAllObjects() }),
        ("union", { $0.union(NSOrderedSet(array: [words.randomElement(using: &$1)!, "y"])) }),
        ("minus", { $0.minus(NSOrderedSet(array: [words.randomElement(using: &$1)!, "y"])) }),
        ("unionSet", { $0.unionSet([words.randomElement(using: &$1)!]) }),
        ("minusSet", { $0.minusSet([words.randomElement(using: &$1)!]) }),
        (
            "exchangeObject",
            {
                guard $0.count > 1 else { return }
                $0.exchangeObject(at: 0, withObjectAt: Int.random(in: 0..<$0.count, using: &$1))
            }
        ),
        ("moveObjects", { set, _ in if set.count > 2 { set.moveObjects(at: [0, 2], to: 0) } }),
        ("removeObjects(at:)", { set, _ in if set.count > 2 { set.removeObjects(at: [0, 2]) } }),
        ("insert(at:)", { set, _ in if !set.contains("p") { set.insert(["p"], at: [0]) } }),
        (
            "replaceObjects(at:)",
            { set, _ in if set.count > 1, !set.contains("r") { set.replaceObjects(at: [1], with: ["r"]) } }
        ),
        ("sort", { set, _ in set.sort(comparator: { ($1 as! String).compare($0 as! String) }) }),
    ]

    private static let arrayChanges: [(String, Change<NSMutableArray>)] = [
        ("add", { $0.add(words.randomElement(using: &$1)!) }),
        ("addObjects", { $0.addObjects(from: [words.randomElement(using: &$1)!, "x"]) }),
        ("insert", { $0.insert(words.randomElement(using: &$1)!, at: Int.random(in: 0...$0.count, using: &$1)) }),
        ("remove", { $0.remove(words.randomElement(using: &$1)!) }),
        ("removeObject(at:)", { if $0.count > 0 { $0.removeObject(at: Int.random(in: 0..<$0.count, using: &$1)) } }),
        ("removeObjects(in:)", { $0.removeObjects(in: [words.randomElement(using: &$1)!, "x"]) }),
        ("removeLastObject", { array, _ in if array.count > 0 { array.removeLastObject() } }),
        ("removeAllObjects", { array, _ in array.removeAllObjects() }),
        ("setArray", { $0.setArray(Array(words.shuffled(using: &$1).prefix(3))) }),
        (
            "exchangeObject",
            {
                guard $0.count > 1 else { return }
                $0.exchangeObject(at: 0, withObjectAt: Int.random(in: 0..<$0.count, using: &$1))
            }
        ),
        ("sort", { array, _ in array.sort(comparator: { ($1 as! String).compare($0 as! String) }) }),
    ]

    private static let setChanges: [(String, Change<NSMutableSet>)] = [
        ("add", { $0.add(words.randomElement(using: &$1)!) }),
        ("addObjects", { $0.addObjects(from: [words.randomElement(using: &$1)!, "x"]) }),
        ("remove", { $0.remove(words.randomElement(using: &$1)!) }),
        ("removeAllObjects", { set, _ in set.removeAllObjects() }),
        ("union", { $0.union([words.randomElement(using: &$1)!, "y"]) }),
        ("minus", { $0.minus([words.randomElement(using: &$1)!, "y"]) }),
        ("intersect", { $0.intersect(Set(words.shuffled(using: &$1).prefix(4))) }),
        ("setSet", { $0.setSet(Set(words.shuffled(using: &$1).prefix(3))) }),
    ]

    /// Does the same random changes to a view and to a plain collection, comparing after each.
    private func compare<Collection>(
        _ changes: [(String, Change<Collection>)], view: (Holder) -> Collection, plain: () -> Collection,
        seen: (Collection) -> [String], isEqual: ([String], [String]) -> Bool
    ) {
        for seed in UInt64(0)..<100 {
            var generator = SeededGenerator(seed: seed)
            let holder = Holder()
            let (live, expected) = (view(holder), plain())
            for step in 0..<30 {
                let (name, change) = changes.randomElement(using: &generator)!
                var again = generator
                change(expected, &again)
                change(live, &generator)
                generator = again
                let same = isEqual(holder.words, seen(expected)) && isEqual(seen(live), seen(expected))
                #expect(same, "seed \(seed), step \(step): \(name) left \(holder.words), not \(seen(expected))")
                guard same else { return }
            }
        }
    }

    @Test("An ordered set's view changes as a plain ordered set does, by every method")
    func orderedSets() {
        compare(
            Self.orderedSetChanges, view: { $0.mutableOrderedSetValue(forKey: "words") },
            plain: { NSMutableOrderedSet() }, seen: { $0.array as! [String] }, isEqual: ==)
    }

    @Test("An ordered set's view can be intersected, which Foundation's own can't")
    func intersection() {
        let holder = Holder()
        holder.words = ["a", "b", "c", "d"]
        let view = holder.mutableOrderedSetValue(forKey: "words")
        view.intersect(NSOrderedSet(array: ["d", "b", "x"]))
        #expect(holder.words == ["b", "d"])
        view.intersectSet(["d"])
        #expect(holder.words == ["d"])
    }

    @Test("An array's view changes as a plain array does, by every method")
    func arrays() {
        compare(
            Self.arrayChanges, view: { $0.mutableArrayValue(forKey: "words") },
            plain: { NSMutableArray() }, seen: { array in (0..<array.count).map { array[$0] as! String } }, isEqual: ==)
    }

    @Test("A set's view changes as a plain set does, by every method")
    func sets() {
        compare(
            Self.setChanges, view: { $0.mutableSetValue(forKey: "words") },
            plain: { NSMutableSet() }, seen: { $0.allObjects as! [String] }, isEqual: { Set($0) == Set($1) })
    }
}
