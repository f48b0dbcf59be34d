import Foundation

/// An ordered set that is a view of an object's to-many key: it reads the key, and sets it with every change.
final class KeyValueMutableOrderedSet: NSMutableOrderedSet {
    private var owner: (any KeyValueCoding)!
    private var key = ""

    convenience init(owner: any KeyValueCoding, key: String) {
        self.init(capacity: 0)
        self.owner = owner
        self.key = key
        refresh()
    }

    required convenience init?(coder: NSCoder) {
        nil
    }

    required convenience init(arrayLiteral elements: Any...) {
        fatalError("A view of an object's key can't be written as a literal")
    }

    /// Whether the storage is being filled, which goes through the same methods as a change from outside.
    private var isRefreshing = false

    /// Fills the storage that Foundation on Linux reads in some methods, such as `array`, without asking `count`.
    private func refresh() {
        guard owner != nil, !isRefreshing else { return }
        isRefreshing = true
        defer { isRefreshing = false }
        let values = owner.kvcValue(forKey: key).flatMap { Elements($0)?.values } ?? []
        for index in stride(from: super.count - 1, through: 0, by: -1) {
            super.removeObject(at: index)
        }
        for (index, value) in values.enumerated() {
            super.insert(value, at: index)
        }
    }

    private func change(_ body: () -> Void) {
        guard !isRefreshing else { return body() }
        refresh()
        isRefreshing = true
        body()
        owner.setKVCValue(NSOrderedSet(array: array), forKey: key)
        isRefreshing = false
    }

    override var count: Int {
        refresh()
        return super.count
    }

    override func object(at index: Int) -> Any {
        refresh()
        return super.object(at: index)
    }

    override func index(of object: Any) -> Int {
        refresh()
        return super.index(of: object)
    }

    override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }

    override func insert(_ object: Any, at index: Int) {
        change { super.insert(object, at: index) }
    }

    override func removeObject(at index: Int) {
        change { super.removeObject(at: index) }
    }

    override func replaceObject(at index: Int, with object: Any) {
        change { super.replaceObject(at: index, with: object) }
    }

    // Foundation's methods on Linux change the storage instead of calling the ones above.

    override func add(_ object: Any) { change { super.add(object) } }

    override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }

    override func remove(_ object: Any) { change { super.remove(object) } }

    override func removeObjects(in array: [Any]) { change { super.removeObjects(in: array) } }

    override func removeAllObjects() { change { super.removeAllObjects() } }

    override func exchangeObject(at index1: Int, withObjectAt index2: Int) {
        change { super.exchangeObject(at: index1, withObjectAt: index2) }
    }

    override func union(_ other: NSOrderedSet) { change { super.union(other) } }

    override func minus(_ other: NSOrderedSet) { change { super.minus(other) } }

    /// Foundation's own never ends.
    override func intersect(_ other: NSOrderedSet) {
        change { super.removeObjects(in: array.filter { !other.contains($0) }) }
    }

    override func unionSet(_ other: Set<AnyHashable>) { change { super.unionSet(other) } }

    override func minusSet(_ other: Set<AnyHashable>) { change { super.minusSet(other) } }

    override func intersectSet(_ other: Set<AnyHashable>) { intersect(NSOrderedSet(set: other)) }

    override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) { change { super.sort(comparator: cmptr) } }
}
