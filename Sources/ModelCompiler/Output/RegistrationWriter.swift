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

    /// Swift declarations, none where there is nothing to register.
    var lines: [String] {
        guard hasModels || !classes.isEmpty || !keyPaths.isEmpty else { return [] }
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
        lines += ["}", "", "@Sendable private func keyPaths() -> [AnyKeyPath: String] {"]
        if keyPaths.isEmpty {
            lines.append("    [:]")
        } else {
            lines.append("    var names: [AnyKeyPath: String] = [:]")
            for entry in keyPaths {
                lines += entry.conditions.map { "#if \($0)" }
                let name = TypeSpelling.quoted(entry.property)
                lines.append("    names[\\\(entry.spelling).\(name)] = \"\(entry.property)\"")
                lines += entry.conditions.map { _ in "#endif" }
            }
            lines.append("    return names")
        }
        lines += [
            "}", "", "@used @section(\".init_array\") private let registration: @convention(c) () -> Void = {",
            "    GeneratedClasses.register(classes: classes, keyPaths: keyPaths)",
        ]
        if hasModels { lines.append("    GeneratedClasses.register(resources: { Foundation.Bundle.module })") }
        return lines + ["}", ""]
    }
}
