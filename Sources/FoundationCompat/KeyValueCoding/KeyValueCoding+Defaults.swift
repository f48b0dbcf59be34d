import Foundation

extension KeyValueCoding {
    /// Every key, unless the class says more.
    public func definesKVCValue(forKey key: String) -> Bool {
        true
    }

    /// A set that reads the key, and sets it with every change.
    public func kvcMutableSetValue(forKey key: String) -> NSMutableSet {
        KeyValueMutableSet(owner: self, key: key)
    }

    /// An ordered set that reads the key, and sets it with every change.
    public func kvcMutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        LiveOrderedSet(of: KeyedOrderedSet(owner: self, key: key))
    }

    /// An array that reads the key, and sets it with every change.
    public func kvcMutableArrayValue(forKey key: String) -> NSMutableArray {
        KeyValueMutableArray(owner: self, key: key)
    }

    /// Accepts every value.
    public func validateKVCValue(_ value: inout Any?, forKey key: String) throws {}
}

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
