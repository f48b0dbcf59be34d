import FoundationCompat

// What every object leads to. It has no children in mirrors, so that `dump` of an object doesn't go through the model and the context.

@_spi(Engine) extension ModelLayout: CustomReflectable {
    /// No children.
    public var customMirror: Mirror { .opaque(self) }
}

@_spi(Engine) extension EntityLayout: CustomReflectable {
    /// No children.
    public var customMirror: Mirror { .opaque(self) }
}

@_spi(Engine) extension RowPage: CustomReflectable {
    /// No children.
    public var customMirror: Mirror { .opaque(self) }
}
