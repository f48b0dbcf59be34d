import Foundation

/// An observation by `observe(_:options:changeHandler:)`; it ends with this object or with `invalidate()`.
open class NSKeyValueObservation: NSObject {
    private var cancel: (() -> Void)?

    init(cancel: @escaping () -> Void) {
        self.cancel = cancel
        super.init()
    }

    deinit {
        cancel?()
    }

    /// Ends the observation.
    public func invalidate() {
        cancel?()
        cancel = nil
    }
}

/// What a block that observes a key path learns about a change.
public struct NSKeyValueObservedChange<Value> {
    /// What happened.
    public let kind: NSKeyValueChange
    /// The value after the change, if it was asked for.
    public let newValue: Value?
    /// The value before the change, if it was asked for.
    public let oldValue: Value?
    /// The places of an ordered collection that changed.
    public let indexes: IndexSet?
    /// Whether the notification comes before the change.
    public let isPrior: Bool
}
