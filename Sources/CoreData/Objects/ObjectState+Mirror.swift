import FoundationCompat

// What an object has beside its identity. It has no children in mirrors, so that `dump` of an object doesn't go through all that it is
// related to, and through its context.

extension ObjectState: CustomReflectable { var customMirror: Mirror { .opaque(self) } }

extension ObjectRegistry: CustomReflectable { var customMirror: Mirror { .opaque(self) } }

extension IdentityDomain: CustomReflectable { var customMirror: Mirror { .opaque(self) } }
