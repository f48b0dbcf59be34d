import Foundation

/// Writes the class of an entity in Swift.
struct ClassWriter {
    /// Who the class is for.
    enum Style {
        /// Files that people keep, as Xcode writes them: with `@NSManaged` members, so that they compile on Apple's
        /// platforms too.
        case managed
        /// Files of a build: members with their bodies, each in one line, which counts as that of the model's file where
        /// the member comes from. So what the compiler has to say (a class that isn't there) points at the model.
        case complete
    }

    let entity: EntityClass
    let style: Style

    /// The class itself, without members.
    var classLines: [String] {
        let attribute = style == .managed ? Self.onApple("@objc(\(entity.className))", indent: "") : []
        return attribute + location(entity.line) + [
            "public class \(entity.className): \(entity.superclassName) {", "}",
        ]
    }

    /// The extension with the properties, and those with the methods of relationships.
    var propertiesLines: [String] {
        let name = entity.className
        var lines = location(entity.line) + ["extension \(name) {"]
        if style == .managed { lines += Self.onApple("@nonobjc") }
        lines += [
            "    public class func fetchRequest() -> NSFetchRequest<\(name)> {",
            "        return NSFetchRequest<\(name)>(entityName: \"\(entity.entityName)\")",
            "    }",
        ]
        for property in entity.properties { lines += [""] + declaration(of: property) }
        lines.append("}")
        for property in entity.properties {
            guard case .toMany(let member, let isOrdered) = property.kind else { continue }
            let accessors = ToManyAccessors(property: property.name, memberClass: member, isOrdered: isOrdered)
            lines += ["", "// MARK: Generated accessors for \(property.name)"]
            lines += location(property.line) + ["extension \(name) {"]
            for (number, method) in accessors.methods(key: key(of: property)).enumerated() {
                lines += (number > 0 ? [""] : []) + location(property.line) + declaration(of: method)
            }
            lines.append("}")
        }
        // Subclasses inherit the conformance.
        if entity.isRoot { lines += ["", "extension \(name): Identifiable {", "}"] }
        if style == .complete {
            lines += ["#sourceLocation()", ""]
            lines += entity.properties.map { "private let \(key(of: $0)) = PropertyKey(\"\($0.name)\")" }
        }
        return lines
    }

    private func key(of property: EntityClass.Property) -> String { "key_\(entity.className)_\(property.name)" }

    private func declaration(of property: EntityClass.Property) -> [String] {
        let head = "public var \(TypeSpelling.quoted(property.name)): \(property.type)"
        guard style == .complete else { return ["    @NSManaged \(head)"] }
        let isOptional = property.type.hasSuffix("?")
        let type = isOptional ? String(property.type.dropLast()) : property.type
        let form = AccessorForm(property, typeName: type)
        let key = key(of: property)
        let getter = "get { \(form.reading(type, isOptional: isOptional, key: key)) }"
        let setter = "set { \(form.writing("newValue", isOptional: isOptional, key: key)) }"
        return location(property.line) + ["    \(head) { \(getter) \(setter) }"]
    }

    private func declaration(of method: ToManyAccessors.Method) -> [String] {
        switch style {
        case .managed:
            Self.onApple("@objc(\(method.selector))") + ["    @NSManaged public func \(method.declaration)"]
        case .complete:
            ["    public func \(method.declaration) { \(method.call) }"]
        }
    }

    /// Says that the next line is one of the model's file.
    private func location(_ line: Int) -> [String] {
        guard style == .complete else { return [] }
        let file = entity.file.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return ["#sourceLocation(file: \"\(file)\", line: \(line))"]
    }

    /// An attribute that is an error on Linux.
    private static func onApple(_ attribute: String, indent: String = "    ") -> [String] {
        ["#if canImport(ObjectiveC)", attribute, "#endif"].map { indent + $0 }
    }
}
