import Foundation
import ManagedObjectModel

/// Writes the class of an entity in Swift.
struct ClassWriter {
    /// Who the class is for.
    enum Style {
        /// Files that people keep, as Xcode writes them: with `@NSManaged` members, so that they compile on Apple's
        /// platforms too.
        case managed
        /// Files of a build: members with their bodies, each in one line that says where in the model it comes from.
        case complete(SourceLocations)
    }

    let entity: EntityClass
    let style: Style
    /// Members of the class's superclass that extensions in the target's sources override.
    var overrides: [ExtensionOverride] = []

    /// The class itself. In a build it holds its members, so that subclasses can override them; on Apple's platforms they can
    /// override members of extensions too.
    var classLines: [String] {
        let forwarding = overrides.flatMap { ["", "    public \($0.forwarding)"] }
        let attribute = isManaged ? Self.onApple("@objc(\(entity.className))", indent: "") : []
        return attribute
            + located("\(isolation)public class \(entity.className): \(entity.superclassName) {", at: entity.position)
            + (isManaged ? [] : memberLines + forwarding) + ["}"]
    }

    private var memberLines: [String] {
        let members = entity.properties.flatMap { property in
            [declaration(of: property)]
                + methods(of: property).map { declaration(of: $0, at: property.position) }
        }
        return Array(members.joined(separator: [""]))
    }

    private func methods(of property: EntityClass.Property) -> [ToManyAccessors.Method] {
        guard case .toMany(let member, let isOrdered) = property.kind else { return [] }
        return ToManyAccessors(property: property.name, memberClass: member, isOrdered: isOrdered)
            .methods(key: key(of: property))
    }

    /// The extension with the properties, and those with the methods of relationships.
    ///
    /// - Parameter haveClass: whether the class, as ``classLines`` has it, holds these members.
    func propertiesLines(haveClass: Bool = false) -> [String] {
        let name = entity.className
        var lines = located("\(isolation)extension \(name) {", at: entity.position)
        if isManaged { lines += Self.onApple("@nonobjc") }
        lines += [
            "    public class func fetchRequest() -> NSFetchRequest<\(name)> {",
            "        return NSFetchRequest<\(name)>(entityName: \"\(entity.entityName)\")",
            "    }",
        ]
        if !haveClass { for property in entity.properties { lines += [""] + declaration(of: property) } }
        lines.append("}")
        for property in entity.properties where !haveClass {
            let methods = methods(of: property)
            guard !methods.isEmpty else { continue }
            lines += ["", "// MARK: Generated accessors for \(property.name)"]
            lines += located("\(isolation)extension \(name) {", at: property.position)
            lines += methods.map { declaration(of: $0, at: property.position) }.joined(separator: [""])
            lines.append("}")
        }
        // Subclasses inherit the conformance.
        if entity.isRoot { lines += ["", "\(isolation)extension \(name): Identifiable {", "}"] }
        if case .complete(let locations) = style {
            if locations == .directives { lines.append("#sourceLocation()") }
            lines.append("")
            lines += entity.properties.map {
                "nonisolated private let \(key(of: $0)) = ManagedPropertyKey(\"\($0.name)\")"
            }
        }
        return lines
    }

    private func key(of property: EntityClass.Property) -> String { "key_\(entity.className)_\(property.name)" }

    private func declaration(of property: EntityClass.Property) -> [String] {
        let head = "public var \(TypeSpelling.quoted(property.name)): \(property.type)"
        if isManaged { return ["    @NSManaged \(head)"] }
        let isOptional = property.type.hasSuffix("?")
        let type = isOptional ? String(property.type.dropLast()) : property.type
        let form = AccessorForm(property, typeName: type)
        let key = key(of: property)
        let getter = "get { \(form.reading(type, isOptional: isOptional, key: key)) }"
        let setter = "set { \(form.writing("newValue", isOptional: isOptional, key: key)) }"
        return located("    \(head) { \(getter) \(setter) }", at: property.position)
    }

    private func declaration(of method: ToManyAccessors.Method, at position: TextPosition?) -> [String] {
        isManaged
            ? Self.onApple("@objc(\(method.selector))") + ["    @NSManaged public func \(method.declaration)"]
            : located("    public func \(method.declaration) { \(method.call) }", at: position)
    }

    /// What code of a build says of itself, as the target may isolate to the main actor all that says nothing: the class that is inherited
    /// from is isolated to none.
    private var isolation: String { isManaged ? "" : "nonisolated " }

    private var isManaged: Bool {
        if case .managed = style { true } else { false }
    }

    /// A line that comes from a place in the model's file.
    private func located(_ text: String, at position: TextPosition?) -> [String] {
        guard case .complete(let locations) = style, let line = position?.line else { return [text] }
        switch locations {
        case .directives:
            let file = entity.file.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"")
            return ["#sourceLocation(file: \"\(file)\", line: \(line))", text]
        case .comments: return ["\(text)  // \(entity.file):\(line)"]
        }
    }

    /// An attribute that is an error on Linux.
    private static func onApple(_ attribute: String, indent: String = "    ") -> [String] {
        ["#if canImport(ObjectiveC)", attribute, "#endif"].map { indent + $0 }
    }
}
