/// A property that needs no body.
struct CompleteProperty {
    let name: String
    let scope: LexicalScope
    let access: AccessLevel
    /// Whether it is Objective-C's on Apple's platforms, where its key path has a name then.
    let isObjectiveC: Bool
}

/// What a source file declares, as far as bodies for `@NSManaged` depend on it.
struct ScannedFile {
    let path: String
    var types: [DeclaredType] = []
    var managed: [ManagedDeclaration] = []
    /// The properties of objects with bodies of their own.
    var complete: [CompleteProperty] = []
    /// The modules that it imports.
    var imports: [ImportedModule] = []
    var diagnostics: [CompilerDiagnostic] = []
}
