import ModelCompiler
import SwiftSyntax

extension SourcePorter {
    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
    ]

    /// Gives a body to an `@NSManaged` property that the plugin can't reach: of a class that is declared inside of a function, or
    /// whose type names private ones. Returns false where the declaration is no such thing.
    func portLocalManagedProperty(_ node: VariableDeclSyntax) -> Bool {
        let managed = node.attributes.first { $0.as(AttributeSyntax.self)?.name == "NSManaged" }
        guard let managed, node.bindings.count == 1, let binding = node.bindings.first,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
            let type = binding.typeAnnotation?.type, isInFunction || privateTypes.isHidden(type)
        else { return false }
        let isEnumeration = privateTypes.isEnumeration(type)
        let value =
            isEnumeration
            ? PrivateTypes.readingEnumeration(type.trimmedDescription, key: name.plain)
            : Self.reading(type, key: name.plain)
        let modifiers = node.modifiers.map { $0.trimmedDescription + " " }.joined()
        let declaration =
            "\(modifiers)var \(name.text): \(type.trimmedDescription) { get { \(value) } "
            + "set { setValue(newValue\(isEnumeration ? ".rawValue" : ""), forKey: \"\(name.plain)\") } }"
        let range = managed.trimmedStart..<node.trimmedEnd
        switch style {
        case .overlay:
            edits.append(SourceEdit(range, declaration + String(repeating: "\n", count: lineCount(range))))
        case .portable:
            let lineStart = bytes[..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let indent = String(text(lineStart..<range.lowerBound).prefix { $0 == " " || $0 == "\t" })
            edits.append(SourceEdit(insert: "#if canImport(ObjectiveC)\n\(indent)", at: range.lowerBound))
            edits.append(
                SourceEdit(
                    insert: "\n\(indent)#else\n\(indent)\(declaration)\n\(indent)#endif", at: range.upperBound))
        }
        return true
    }

    private static func reading(_ type: TypeSyntax, key: String) -> String {
        let value = "value(forKey: \"\(key)\")"
        if let optional = type.as(OptionalTypeSyntax.self) {
            return "\(value) as? \(optional.wrappedType.trimmedDescription)"
        }
        let name = type.trimmedDescription
        // What isn't set reads as nothing, as it does where the plugin makes the body.
        return switch name {
        case "Bool": "\(value) as? Bool ?? false"
        case "String": "\(value) as? String ?? \"\""
        case _ where numbers.contains(name): "\(value) as? \(name) ?? 0"
        default: "\(value) as! \(name)"
        }
    }
}
