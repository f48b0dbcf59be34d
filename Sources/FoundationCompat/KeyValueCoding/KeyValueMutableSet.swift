import Foundation

/// A set that is a view of an object's to-many key: it reads the key, and sets it with every change.
final class KeyValueMutableSet: NSMutableSet {
    private var owner: (any KeyValueCoding)!
    private var key = ""

    convenience init(owner: any KeyValueCoding, key: String) {
        self.init(capacity: 0)
        self.owner = owner
        self.key = key
    }

    required init(capacity numItems: Int) {
        super.init(capacity: numItems)
    }

    required convenience init?(coder: NSCoder) {
        nil
    }

    private var current: NSMutableSet {
        let values = owner.kvcValue(forKey: key).flatMap { Elements($0)?.values } ?? []
        return NSMutableSet(array: values)
    }

    private func change(_ body: (NSMutableSet) -> Void) {
        let changed = current
        body(changed)
        owner.setKVCValue(changed, forKey: key)
    }

    override var count: Int { current.count }

    override func member(_ object: Any) -> Any? { current.member(object) }

    override func objectEnumerator() -> NSEnumerator { current.objectEnumerator() }

    override func add(_ object: Any) { change { $0.add(object) } }

    override func remove(_ object: Any) { change { $0.remove(object) } }

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(set: current as! Set<AnyHashable>) }
}
