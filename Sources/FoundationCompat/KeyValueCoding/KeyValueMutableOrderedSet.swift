import Foundation

/// An ordered set that is a view of an object's to-many key: it reads the key, and sets it with every change.
final class KeyValueMutableOrderedSet: NSMutableOrderedSet {
    private var owner: (any KeyValueCoding)!
    private var key = ""

    convenience init(owner: any KeyValueCoding, key: String) {
        self.init(capacity: 0)
        self.owner = owner
        self.key = key
    }

    required convenience init?(coder: NSCoder) {
        nil
    }

    required convenience init(arrayLiteral elements: Any...) {
        fatalError("A view of an object's key can't be written as a literal")
    }

    private var current: NSMutableOrderedSet {
        let values = owner.kvcValue(forKey: key).flatMap { Elements($0)?.values } ?? []
        return NSMutableOrderedSet(array: values)
    }

    private func change(_ body: (NSMutableOrderedSet) -> Void) {
        let changed = current
        body(changed)
        owner.setKVCValue(changed, forKey: key)
    }

    override var count: Int { current.count }

    override func object(at index: Int) -> Any { current.object(at: index) }

    override func index(of object: Any) -> Int { current.index(of: object) }

    override func insert(_ object: Any, at index: Int) { change { $0.insert(object, at: index) } }

    override func removeObject(at index: Int) { change { $0.removeObject(at: index) } }

    override func replaceObject(at index: Int, with object: Any) {
        change { $0.replaceObject(at: index, with: object) }
    }
}
