/// The registration of key paths that only code in the class's own file can write: those of private classes, and of private
/// members.
///
/// The porting tool puts it at the end of the copy of the file that is compiled. What the plugin generates is in a file of
/// its own, which can't name these.
package enum PrivateKeyPaths {
    private struct Entry {
        /// The class, as it is named at the end of the file.
        let owner: String
        /// Whether only members of the class can name the property.
        let isMembersOnly: Bool
        let text: String
    }

    /// What a file that has such lines declares by them.
    private static let variable = "_privateKeyPaths"

    /// Lines to add to a file; nil where it has no such key paths.
    static func registration(in text: String, path: String) -> String? {
        guard text.contains("NSManaged"), text.contains("private") else { return nil }
        let entries = SourceScanner.scan(text, path: path).managed.compactMap(entry)
        guard !entries.isEmpty else { return nil }
        let nameable = entries.filter { !$0.isMembersOnly }.map(\.text)
        let hidden = Dictionary(grouping: entries.filter(\.isMembersOnly), by: \.owner).sorted { $0.key < $1.key }
        var lines: [String] = []
        var statements = ["var names: [AnyKeyPath: String] = [\(nameable.isEmpty ? ":" : list(nameable))]"]
        for (owner, members) in hidden {
            let function = "_privateKeyPathsOf" + owner.filter { $0 != "." && $0 != "`" }
            lines.append(
                "extension \(owner) { fileprivate static func \(function)() -> [AnyKeyPath: String] { "
                    + "[\(list(members.map(\.text)))] } }\n")
            statements.append("names.merge(\(owner).\(function)()) { $1 }")
        }
        // The compiler would warn of a variable that isn't changed.
        if hidden.isEmpty { statements[0] = "let" + statements[0].dropFirst("var".count) }
        lines.append(
            RegistrationWriter.declaration(variable)
                + " { KeyPathNames.register(later: { \((statements + ["return names"]).joined(separator: "; ")) }) }\n")
        return lines.joined()
    }

    /// What comes to the end of a source that lacks it: the registration alone, or, where Apple's compiler is to see the source as well,
    /// under a condition.
    package static func lines(of text: String, path: String, isForPeople: Bool) -> String {
        guard !(isForPeople && text.contains(variable)), let registration = registration(in: text, path: path) else {
            return ""
        }
        let start = text.hasSuffix("\n") ? "" : "\n"
        return start + (isForPeople ? "\n#if !canImport(ObjectiveC)\n\(registration)#endif\n" : registration)
    }

    private static func list(_ entries: [String]) -> String { entries.joined(separator: ", ") }

    private static func entry(_ declaration: ManagedDeclaration) -> Entry? {
        guard case .property = declaration.form, !declaration.scope.isLocal, declaration.scope.conditions.isEmpty,
            !declaration.scope.isIsolated, let owner = owner(declaration.scope)
        else { return nil }
        guard owner.isPrivate || declaration.access.isPrivate else { return nil }
        let property = TypeSpelling.quoted(declaration.name)
        return Entry(
            owner: owner.name, isMembersOnly: declaration.access == .private,
            text: "\\\(owner.name).\(property): \"\(declaration.objectiveCName ?? declaration.name)\"")
    }

    /// The class that a declaration is in; nil where code at the end of the file can't name it, or it has many key paths of that
    /// name.
    private static func owner(_ scope: LexicalScope) -> (name: String, isPrivate: Bool)? {
        if case .extension(let type, _, false, _)? = scope.levels.first, scope.levels.count == 1 {
            return (type.trimmedDescription, false)
        }
        var (names, isPrivate) = ([String](), false)
        for level in scope.levels {
            guard case .type(_, let name, let access, let parameters) = level, parameters.isEmpty else { return nil }
            // What is private inside of another type can't be named at the end of the file.
            if !names.isEmpty, access == .private { return nil }
            isPrivate = isPrivate || access?.isPrivate ?? false
            names.append(TypeSpelling.quoted(name))
        }
        return names.isEmpty ? nil : (names.joined(separator: "."), isPrivate)
    }
}
