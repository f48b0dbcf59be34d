import Foundation

/// The ordered to-many key of an object as what a live set shows: it reads the key, and sets it with every change.
struct KeyedOrderedSet: LiveOrderedSetSource {
    let owner: any KeyValueCoding
    let key: String

    var elements: [Any] { owner.kvcValue(forKey: key).flatMap { Elements($0)?.values } ?? [] }

    var revision: LiveOrderedSetRevision? { nil }

    func replaceElements(with elements: [Any]) { owner.setKVCValue(NSOrderedSet(array: elements), forKey: key) }

    func insert(_ element: Any, at index: Int) -> Bool { false }

    func remove(_ element: Any) -> Bool { false }
}
