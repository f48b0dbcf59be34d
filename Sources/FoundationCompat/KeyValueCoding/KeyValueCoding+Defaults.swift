import Foundation

extension KeyValueCoding {
    /// Every key, unless the class says more.
    public func definesKVCValue(forKey key: String) -> Bool {
        true
    }

    public func kvcMutableSetValue(forKey key: String) -> NSMutableSet {
        KeyValueMutableSet(owner: self, key: key)
    }

    public func kvcMutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        LiveOrderedSet(of: KeyedOrderedSet(owner: self, key: key))
    }

    public func kvcMutableArrayValue(forKey key: String) -> NSMutableArray {
        KeyValueMutableArray(owner: self, key: key)
    }

    /// Accepts every value.
    public func validateKVCValue(_ value: inout Any?, forKey key: String) throws {}
}
