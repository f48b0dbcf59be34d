import Foundation

/// What a class adopts that is an observer by `addObserver(_:forKeyPath:options:context:)`.
///
/// On Apple's platforms every `NSObject` has this method to override; an extension's methods can't be overridden on
/// Linux, so the class says that it has it.
public protocol KeyValueObserver: AnyObject {
    /// Called after a change, and before it with the option `.prior`.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?)
}

/// What a class adopts whose properties depend on others, or some of which tell of their changes by themselves.
public protocol KeyValueDependencies: AnyObject {
    /// The keys whose changes change the value for a key.
    static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>

    /// Whether `setValue(_:forKey:)` tells observers of a key. Objects have it from `NSObjectProtocol`.
    static func automaticallyNotifiesObservers(forKey key: String) -> Bool
}
