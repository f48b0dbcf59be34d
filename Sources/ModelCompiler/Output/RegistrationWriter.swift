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
        /// Whether it is inside of another type.
        var isNested = false
    }

    /// A property whose key path is to have a name.
    struct KeyPathEntry {
        let spelling: String
        let property: String
        /// The name for key-value coding, where it is another one.
        var key: String?
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

        var line: String { "DeclaredValidator(\"\(method)\", of: \(spelling).self) { try $0.\(method)($1) }" }
    }

    /// A method of a class that is found by its selector.
    struct MethodEntry {
        let spelling: String
        let method: ObjectiveCMethod
        var conditions: [String] { method.scope.conditions }

        var line: String {
            let name = TypeSpelling.quoted(method.name)
            if method.isOfClass {
                return "DeclaredMethod(ofClass: \(spelling).self, \"\(method.selector)\") "
                    + "{ \(spelling).\(name)\(method.isProperty ? "" : "()") }"
            }
            let arguments = method.labels.enumerated().map { index, label in
                (label.map { "\($0): " } ?? "") + "arguments[\(index)]"
            }
            let call = "\(arguments.isEmpty ? "" : "try ")object.\(name)(\(arguments.joined(separator: ", ")))"
            let parameters = "object, \(arguments.isEmpty ? "_" : "arguments") in"
            return "DeclaredMethod(\"\(method.selector)\", of: \(spelling).self) "
                + "{ \(parameters) \(method.hasResult ? call : "\(call); return nil") }"
        }
    }

    var methods: [MethodEntry] = []
    /// The migration policies that mapping models may name.
    var policies: [ClassEntry] = []
    /// The policies whose `init()` can be called by their own name alone.
    var makers: [ClassEntry] = []
    /// The classes that archives have under another name than their own.
    var archivedClasses: [ClassEntry] = []
    /// The classes that have a name of Objective-C's.
    var objectiveCNames: [ClassEntry] = []
    /// The properties that key-value coding is to find by name.
    var properties: [KeyPathEntry] = []
    var validators: [ValidatorEntry] = []

    /// Swift declarations, none where there is nothing to register.
    var lines: [String] {
        guard
            hasModels || !classes.isEmpty || !keyPaths.isEmpty || !properties.isEmpty || !validators.isEmpty
                || !methods.isEmpty || !policies.isEmpty || !archivedClasses.isEmpty || !objectiveCNames.isEmpty
        else { return [] }
        var lines =
            Self.function("classes", of: classes, "NSManagedObject") + Self.function("keyPaths", of: keyPaths)
        if !policies.isEmpty { lines += Self.function("policies", of: policies, "NSEntityMigrationPolicy") }
        if !archivedClasses.isEmpty { lines += Self.function("archivedClasses", of: archivedClasses, "NSObject") }
        if !objectiveCNames.isEmpty { lines += Self.function("objectiveCNames", of: objectiveCNames, "AnyObject") }
        if !declaredMethods.isEmpty { lines += Self.function("methods", "DeclaredMethod", declaredMethods) }
        if !properties.isEmpty { lines += Self.function("properties", of: properties) }
        if !validators.isEmpty {
            lines += Self.function("validators", "DeclaredValidator", validators.map { ($0.line, $0.conditions) })
        }
        lines += [
            Self.declaration("registration") + " {",
            "    GeneratedClasses.register(classes: classes, keyPaths: keyPaths)",
        ]
        if !properties.isEmpty { lines.append("    GeneratedClasses.register(properties: properties)") }
        if !validators.isEmpty { lines.append("    GeneratedClasses.register(validators: validators)") }
        if !declaredMethods.isEmpty { lines.append("    GeneratedClasses.register(methods: methods)") }
        if !policies.isEmpty { lines.append("    GeneratedClasses.register(policies: policies)") }
        if !archivedClasses.isEmpty {
            lines.append("    GeneratedClasses.register(archivedClasses: archivedClasses)")
        }
        if !objectiveCNames.isEmpty {
            lines.append("    GeneratedClasses.register(objectiveCNames: objectiveCNames)")
        }
        if hasModels { lines.append("    GeneratedClasses.register(resources: { Foundation.Bundle.module })") }
        return lines + ["}", ""]
    }

    private var declaredMethods: [(line: String, conditions: [String])] {
        methods.map { ($0.line, $0.conditions) }
            + makers.map {
                ("DeclaredMethod(ofClass: \($0.spelling).self, \"new\") { \($0.spelling)() }", $0.conditions)
            }
    }

    /// The beginning of the declaration of a closure that runs when the program is loaded.
    ///
    /// Compilers before 6.3 have the attributes under other names, and want their feature `SymbolLinkageMarkers` for them.
    static func declaration(_ name: String) -> String {
        """
        #if compiler(>=6.3)
        @used @section(".init_array")
        #else
        @_used @_section(".init_array")
        #endif
        nonisolated private let \(name): @convention(c) () -> Void =
        """
    }

    /// A function that returns classes by their names.
    private static func function(_ name: String, of entries: [ClassEntry], _ superclass: String) -> [String] {
        var lines = ["@Sendable nonisolated private func \(name)() -> [String: \(superclass).Type] {"]
        if entries.isEmpty {
            lines.append("    [:]")
        } else {
            lines.append("    var classes: [String: \(superclass).Type] = [:]")
            for entry in entries {
                let names = entry.names.map { "    classes[\"\($0)\"] = \(entry.spelling).self" }
                lines += Self.lines(names, under: entry.conditions)
            }
            lines.append("    return classes")
        }
        return lines + ["}", ""]
    }

    private static func lines(_ lines: [String], under conditions: [String]) -> [String] {
        conditions.map { "#if \($0)" } + lines + conditions.map { _ in "#endif" }
    }

    /// A function that returns a list.
    private static func function(
        _ name: String, _ type: String, _ elements: [(line: String, conditions: [String])]
    ) -> [String] {
        var lines = ["@Sendable nonisolated private func \(name)() -> [\(type)] {", "    var \(name): [\(type)] = []"]
        for element in elements {
            lines += Self.lines(["    \(name).append(\(element.line))"], under: element.conditions)
        }
        return lines + ["    return \(name)", "}", ""]
    }

    /// A function that returns the names of key paths.
    private static func function(_ name: String, of entries: [KeyPathEntry]) -> [String] {
        var lines = ["@Sendable nonisolated private func \(name)() -> [AnyKeyPath: String] {"]
        if entries.isEmpty {
            lines.append("    [:]")
        } else {
            lines.append("    var names: [AnyKeyPath: String] = [:]")
            for entry in entries {
                let property = TypeSpelling.quoted(entry.property)
                let name = "    names[\\\(entry.spelling).\(property)] = \"\(entry.key ?? entry.property)\""
                lines += Self.lines([name], under: entry.conditions)
            }
            lines.append("    return names")
        }
        return lines + ["}", ""]
    }
}
