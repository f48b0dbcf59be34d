/// A property that needs no body.
struct CompleteProperty {
    let name: String
    let scope: LexicalScope
    let access: AccessLevel
    /// Whether it is Objective-C's on Apple's platforms, where its key path has a name then.
    let isObjectiveC: Bool
    /// Whether a key path to it can be written anywhere.
    let hasKeyPath: Bool
}

/// A method that checks a value before it is set, by the name that key-value coding gives it.
struct ValidatorMethod {
    let name: String
    let scope: LexicalScope
    let access: AccessLevel
}

/// What a source file declares, as far as bodies for `@NSManaged` depend on it.
struct ScannedFile {
    let path: String
    var types: [DeclaredType] = []
    var managed: [ManagedDeclaration] = []
    /// The properties of objects with bodies of their own.
    var complete: [CompleteProperty] = []
    /// The methods of the form `validate<Key>`.
    var validators: [ValidatorMethod] = []
    /// The methods that have a selector on Apple's platforms, and may be called by it.
    var methods: [ObjectiveCMethod] = []
    /// The modules that it imports.
    var imports: [ImportedModule] = []
    var diagnostics: [CompilerDiagnostic] = []
}
