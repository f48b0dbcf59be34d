@_spi(Engine) import CoreDataRows

/// What an object has before anybody gives it a value.
extension NSManagedObject {
    /// Gives the object a temporary identity and the entity's defaults.
    final func becomeNew() {
        handle = TemporaryIdentity.next()
        setDefaultValues()
    }

    /// Sets the model's default values.
    final func setDefaultValues() {
        let state = ObjectState()
        state.current = layout.defaultRow
        self.state = state
    }
}
