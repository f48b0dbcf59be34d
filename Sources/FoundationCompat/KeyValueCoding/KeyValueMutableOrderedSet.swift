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

    override func add(_ object: Any) {
        if !contains(object) { insert(object, at: count) }
    }

    override func remove(_ object: Any) {
        let place = index(of: object)
        if place != NSNotFound { removeObject(at: place) }
    }

    override func insert(_ object: Any, at index: Int) {
        change { super.insert(object, at: index) }
    }

    override func removeObject(at index: Int) {
        change { super.removeObject(at: index) }
    }

    override func replaceObject(at index: Int, with object: Any) {
        change { super.replaceObject(at: index, with: object) }
    }
}
