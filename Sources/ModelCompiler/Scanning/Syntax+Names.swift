import SwiftSyntax

extension TokenSyntax {
    /// The name without the backticks that keywords need.
    var plainName: String {
        text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text
    }
}

extension AttributeListSyntax {
    /// Whether `@NSManaged` is among the attributes.
    var containManaged: Bool {
        contains { element in
            guard case .attribute(let attribute) = element else { return false }
            return attribute.attributeName.trimmedDescription == "NSManaged"
        }
    }

    /// Whether an attribute is among them, also where it is under `#if`.
    func contains(_ name: String) -> Bool {
        contains { element in
            switch element {
            case .attribute(let attribute): attribute.attributeName.trimmedDescription == name
            case .ifConfigDecl(let node):
                node.clauses.contains { clause in
                    if case .attributes(let attributes)? = clause.elements { attributes.contains(name) } else { false }
                }
            }
        }
    }

    /// The name in `@objc(Name)`, also where that is under `#if`, as it has to be for Linux.
    var objectiveCName: String? {
        for element in self {
            switch element {
            case .attribute(let attribute) where attribute.attributeName.trimmedDescription == "objc":
                if let name = attribute.arguments?.trimmedDescription, !name.isEmpty { return name }
            case .attribute: continue
            case .ifConfigDecl(let node):
                for case .attributes(let attributes)? in node.clauses.map(\.elements) {
                    if let name = attributes.objectiveCName { return name }
                }
            }
        }
        return nil
    }
}

extension VariableDeclSyntax {
    /// The key in `@objc(key)`, also where the porting tool has put a comment in the attribute's place.
    var objectiveCKey: String? {
        if let name = attributes.objectiveCName { return name }
        let beginning =
            leadingTrivia.description + attributes.description + modifiers.description
            + bindingSpecifier.leadingTrivia.description
        return ObjectiveCKeyComment.key(in: beginning)
    }
}

/// The comment that `coredata swift` leaves where an attribute `@objc(key)` was, as long as that, so that nothing moves.
package enum ObjectiveCKeyComment {
    package static func text(of key: String) -> String { "/*@\(key)  */" }

    static func key(in text: String) -> String? {
        guard let start = text.range(of: "/*@"),
            let end = text.range(of: "  */", range: start.upperBound..<text.endIndex)
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }
}

extension AttributeListSyntax {
    /// Whether what has the attributes belongs to a global actor, such as the main one.
    var containGlobalActor: Bool {
        contains { element in
            guard case .attribute(let attribute) = element else { return false }
            return attribute.attributeName.trimmedDescription.hasSuffix("Actor")
        }
    }
}

extension PatternBindingSyntax {
    /// Whether reading the property waits or throws.
    var hasEffects: Bool {
        guard case .accessors(let accessors)? = accessorBlock?.accessors else { return false }
        return accessors.contains { $0.effectSpecifiers != nil }
    }
}
