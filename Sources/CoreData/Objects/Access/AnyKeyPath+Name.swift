extension AnyKeyPath {
    /// The name of the property that a key path leads to, of several the names with dots between them. Nil where it
    /// wasn't registered.
    ///
    /// The standard library has a property of this name, which knows only Objective-C's properties; libraries that make
    /// predicates of key paths use it. This one comes first in files that import CoreData, because it is declared here:
    /// of FoundationCompat single declarations are exported, and its extensions don't come before the standard library's.
    public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
