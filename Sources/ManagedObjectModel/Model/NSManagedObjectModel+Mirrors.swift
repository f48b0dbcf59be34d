import FoundationCompat

extension NSManagedObjectModel: CustomReflectable {
    /// No children, as on Apple's platforms.
    public var customMirror: Mirror { .opaque(self) }
}

extension NSEntityDescription: CustomReflectable {
    /// No children, as on Apple's platforms.
    public var customMirror: Mirror { .opaque(self) }
}

extension NSPropertyDescription: CustomReflectable {
    /// No children, as on Apple's platforms.
    public var customMirror: Mirror { .opaque(self) }
}
