import Foundation

/// What a class adopts to answer for its own keys in key-value coding.
///
/// The entry points that Apple puts on `NSObject` (`value(forKey:)` and so on) are an extension of
/// `NSObjectProtocol` here and can't be overridden; they ask this protocol. A class that declares open methods of
/// Apple's names, as `NSManagedObject` does, forwards these to them. `KeyPathCoding` does it from a table.
public protocol KeyValueCoding: AnyObject {
    /// The value for a key, numbers as `NSNumber`. An undefined key stops the program.
    func kvcValue(forKey key: String) -> Any?

    /// Sets the value for a key. An undefined key stops the program.
    func setKVCValue(_ value: Any?, forKey key: String)

    /// Whether `kvcValue(forKey:)` can answer. Where a predicate comes from outside this is asked first, so that
    /// an unknown key is an error and not the end of the program.
    func definesKVCValue(forKey key: String) -> Bool

    /// A live set for a to-many key: changing it changes the object.
    func kvcMutableSetValue(forKey key: String) -> NSMutableSet

    /// A live ordered set for an ordered to-many key.
    func kvcMutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet

    /// A live array for an ordered to-many key.
    func kvcMutableArrayValue(forKey key: String) -> NSMutableArray

    /// Checks a value that would be set, and may replace it by one that is right.
    func validateKVCValue(_ value: inout Any?, forKey key: String) throws
}
