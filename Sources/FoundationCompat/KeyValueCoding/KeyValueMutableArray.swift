import Foundation

/// An array that is a view of an object's to-many key: it reads the key, and sets it with every change.
package final class KeyValueMutableArray: NSMutableArray {
    private var owner: (any KeyValueCoding)!
    private var key = ""

    package convenience init(owner: any KeyValueCoding, key: String) {
        self.init(capacity: 0)
        self.owner = owner
        self.key = key
    }

    private var current: NSMutableArray {
        let values = owner.kvcValue(forKey: key).flatMap { Elements($0)?.values } ?? []
        return NSMutableArray(array: values)
    }

    private func change(_ body: (NSMutableArray) -> Void) {
        let changed = current
        body(changed)
        owner.setKVCValue(changed, forKey: key)
    }

    package override var count: Int { current.count }

    package override func object(at index: Int) -> Any { current.object(at: index) }

    package override func insert(_ object: Any, at index: Int) { change { $0.insert(object, at: index) } }

    package override func removeObject(at index: Int) { change { $0.removeObject(at: index) } }

    package override func add(_ object: Any) { change { $0.add(object) } }

    package override func removeLastObject() { change { $0.removeLastObject() } }

    package override func replaceObject(at index: Int, with object: Any) {
        change { $0.replaceObject(at: index, with: object) }
    }

    // Foundation's methods on Linux ask subclasses to write these.

    package override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        change { $0.exchangeObject(at: idx1, withObjectAt: idx2) }
    }

    package override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) {
        change { $0.sort(comparator: cmptr) }
    }

    /// Foundation's own stops where the new objects are fewer than the old ones.
    package override func replaceObjects(in range: NSRange, withObjectsFrom otherArray: [Any]) {
        change { array in
            var objects = array.map { $0 }
            objects.replaceSubrange(range.location..<NSMaxRange(range), with: otherArray)
            array.setArray(objects)
        }
    }
}
