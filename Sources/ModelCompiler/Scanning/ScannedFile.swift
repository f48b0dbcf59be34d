/// What a source file declares, as far as bodies for `@NSManaged` depend on it.
struct ScannedFile {
    let path: String
    var types: [DeclaredType] = []
    var managed: [ManagedDeclaration] = []
    /// The properties with bodies of their own, as generated classes have them.
    var complete: [(name: String, scope: LexicalScope)] = []
    /// The modules that it imports.
    var imports: [String] = []
    var diagnostics: [CompilerDiagnostic] = []
}
