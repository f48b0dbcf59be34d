/// What a source file declares, as far as bodies for `@NSManaged` depend on it.
struct ScannedFile {
    let path: String
    var types: [DeclaredType] = []
    var managed: [ManagedDeclaration] = []
    /// The modules that it imports.
    var imports: [String] = []
    var diagnostics: [CompilerDiagnostic] = []
}
