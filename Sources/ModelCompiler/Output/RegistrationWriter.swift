/// Writes code that makes classes and key paths known before the program's main function runs.
///
/// Swift has no initialisers of modules. What a loader runs when it loads a program is a list of functions in a section
/// of its own, and Swift 6.3 can put a constant there (SE-0492).
struct RegistrationWriter {
    /// A class and the names that models may give it.
    struct ClassEntry {
        let spelling: String
        let names: [String]
        var conditions: [String] = []
    }

    /// A property whose key path is to have a name.
    struct KeyPathEntry {
        let spelling: String
        let property: String
        var conditions: [String] = []
    }

    /// Whether the target has models among its resources.
    var hasModels = false
    var classes: [ClassEntry] = []
    var keyPaths: [KeyPathEntry] = []
    /// A method of the form `validate<Key>` of a class.
    struct ValidatorEntry {
        let spelling: String
        let method: String
        var conditions: [String] = []
    }

    /// The properties that key-value coding is to find by name.
    var properties: [KeyPathEntry] = []
    var validators: [ValidatorEntry] = []

    /// Swift declarations, none where there is nothing to register.
    var lines: [String] {
        guard hasModels || !classes.isEmpty || !keyPaths.isEmpty || !properties.isEmpty || !validators.isEmpty else {
            return []
        }
        var lines = ["@Sendable private func classes() -> [String: NSManagedObject.Type] {"]
        if classes.isEmpty {
            lines.append("    [:]")
        } else {
            lines.append("    var classes: [String: NSManagedObject.Type] = [:]")
            for entry in classes {
                lines += entry.conditions.map { "#if \($0)" }
                lines += entry.names.map { "    classes[\"\($0)\"] = \(entry.spelling).self" }
                lines += entry.conditions.map { _ in "#endif" }
            }
            lines.append("    return classes")
        }
        lines += ["}", ""] + Self.function("keyPaths", of: keyPaths)
        if !properties.isEmpty { lines += Self.function("properties", of: properties) }
        if !validators.isEmpty { lines += validatorLines }
        lines += [
            "@used @section(\".init_array\") private let registration: @convention(c) () -> Void = {",
            "    GeneratedClasses.register(classes: classes, keyPaths: keyPaths)",
        ]
        if !properties.isEmpty { lines.append("    GeneratedClasses.register(properties: properties)") }
        if !validators.isEmpty { lines.append("    GeneratedClasses.register(validators: validators)") }
        if hasModels { lines.append("    GeneratedClasses.register(resources: { Foundation.Bundle.module })") }
        return lines + ["}", ""]
    }

    /// A function that returns the names of key paths.
    private static func function(_ name: String, of entries: [KeyPathEntry]) -> [String] {
        var lines = ["@Sendable private func \(name)() -> [AnyKeyPath: String] {"]
        if entries.isEmpty {
            lines.append("    [:]")
        } else {
            lines.append("    var names: [AnyKeyPath: String] = [:]")
            for entry in entries {
                lines += entry.conditions.map { "#if \($0)" }
                let property = TypeSpelling.quoted(entry.property)
                lines.append("    names[\\\(entry.spelling).\(property)] = \"\(entry.property)\"")
                lines += entry.conditions.map { _ in "#endif" }
            }
            lines.append("    return names")
        }
        return lines + ["}", ""]
    }

    private var validatorLines: [String] {
        var lines = [
            "@Sendable private func validators() -> [DeclaredValidator] {",
            "    var validators: [DeclaredValidator] = []",
        ]
        for entry in validators {
            lines += entry.conditions.map { "#if \($0)" }
            lines.append(
                "    validators.append(DeclaredValidator(\"\(entry.method)\", of: \(entry.spelling).self) "
                    + "{ try $0.\(entry.method)($1) })")
            lines += entry.conditions.map { _ in "#endif" }
        }
        return lines + ["    return validators", "}", ""]
    }
}
