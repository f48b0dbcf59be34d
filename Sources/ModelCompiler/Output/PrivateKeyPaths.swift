/// The registration of key paths that only code in the class's own file can write: those of private classes.
///
/// The porting tool puts it at the end of the copy of the file that is compiled. What the plugin generates is in a file of
/// its own, which can't name these classes.
package enum PrivateKeyPaths {
    /// A line to add to a file; nil where it has no such classes.
    package static func registration(in text: String, path: String) -> String? {
        guard text.contains("NSManaged"), text.contains("private") else { return nil }
        let entries = SourceScanner.scan(text, path: path).managed.compactMap(entry)
        guard !entries.isEmpty else { return nil }
        return RegistrationWriter.declaration("_privateKeyPaths")
            + " { GeneratedClasses.register(classes: { [:] }, keyPaths: { [\(entries.joined(separator: ", "))] }) }\n"
    }

    private static func entry(_ declaration: ManagedDeclaration) -> String? {
        guard case .property = declaration.form, declaration.access != .private, !declaration.scope.isLocal,
            declaration.scope.conditions.isEmpty, !declaration.scope.isIsolated
        else { return nil }
        var (names, isPrivate, isNested) = ([String](), false, false)
        for level in declaration.scope.levels {
            // Members of extensions may belong to a class of another file, and those of generic types have many key paths.
            guard case .type(_, let name, let access, let parameters) = level, parameters.isEmpty else { return nil }
            // What is private inside of another type can't be named at the end of the file.
            if isNested, access == .private { return nil }
            isPrivate = isPrivate || access?.isPrivate ?? false
            isNested = true
            names.append(TypeSpelling.quoted(name))
        }
        guard isPrivate else { return nil }
        let property = TypeSpelling.quoted(declaration.name)
        return "\\\(names.joined(separator: ".")).\(property): \"\(declaration.objectiveCName ?? declaration.name)\""
    }
}
