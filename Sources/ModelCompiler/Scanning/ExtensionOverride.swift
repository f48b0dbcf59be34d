import SwiftParser
import SwiftSyntax

/// A member of an extension that overrides one of the superclass's, as Swift allows it of Objective-C's methods only.
///
/// On Linux the member has another name, and its class an override that calls it: the porting tool writes the one, and for a class
/// that a model generates, the plugin writes the other.
package struct ExtensionOverride: Sendable, Equatable {
    package let className: String
    /// What the member is called in the extension on Linux.
    package let name: String
    /// The override in the class, without an access level.
    package let forwarding: String

    /// Reads a member of an extension of a class that its file's top level can name.
    ///
    /// - Returns: nil for one that overrides nothing, or that a call can't stand for: a generic method, one with a variable number
    ///   of arguments, one of an actor, a property with observers.
    package init?(_ member: DeclSyntax, in owner: ExtensionDeclSyntax) {
        guard owner.genericWhereClause == nil,
            let className = owner.extendedType.as(IdentifierTypeSyntax.self)?.name.text,
            let attributes = member.asProtocol((any WithAttributesSyntax).self)?.attributes, attributes.areForwardable,
            !owner.attributes.containGlobalActor,
            let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers,
            modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) })
        else { return nil }
        let isOfType = modifiers.contains { ["class", "static"].contains($0.name.text) }
        let head = isOfType ? "override class" : "override"
        self.className = className
        if let method = member.as(FunctionDeclSyntax.self) {
            guard let call = method.forwardedCall else { return nil }
            name = Self.name(of: method.name, className)
            forwarding = "\(head) func \(method.name.text)\(method.signature.singleLine) { \(call(name)) }"
        } else if let property = member.as(VariableDeclSyntax.self), let binding = property.bindings.first,
            property.bindings.count == 1, let type = binding.typeAnnotation,
            let overridden = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
            let isSettable = binding.isComputedAndSettable
        {
            name = Self.name(of: overridden, className)
            let body = isSettable ? "get { \(name) } set { \(name) = newValue }" : name
            forwarding = "\(head) var \(overridden.text)\(type.trimmedDescription) { \(body) }"
        } else {
            return nil
        }
    }

    /// The subclass's extension may override the same member, so the name has the class in it.
    private static func name(of member: TokenSyntax, _ className: String) -> String {
        "\(member.plainName)Of\(className)"
    }

    /// The overrides in the extensions of a source that count on Linux: those under no condition, and those under one beside which
    /// the extension has the member by its other name.
    package static func all(in text: String) -> [ExtensionOverride] {
        guard text.contains("override"), text.contains("extension") else { return [] }
        let reader = Reader(viewMode: .sourceAccurate)
        reader.walk(Parser.parse(source: text))
        let conditional = reader.conditional.filter { reader.declared.contains($0.name) }
        return reader.unconditional + conditional.filter { !reader.unconditional.contains($0) }
    }

    private final class Reader: SyntaxVisitor {
        var unconditional: [ExtensionOverride] = []
        var conditional: [ExtensionOverride] = []
        var declared: Set<String> = []
        private var conditionDepth = 0

        override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind {
            if let name = node.decl.as(FunctionDeclSyntax.self)?.name.plainName { declared.insert(name) }
            if let bindings = node.decl.as(VariableDeclSyntax.self)?.bindings {
                declared.formUnion(
                    bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName })
            }
            if let owner = node.enclosingExtension, let override = ExtensionOverride(node.decl, in: owner) {
                if conditionDepth == 0 { unconditional.append(override) } else { conditional.append(override) }
            }
            return node.decl.is(IfConfigDeclSyntax.self) ? .visitChildren : .skipChildren
        }

        override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
            conditionDepth += 1
            return .visitChildren
        }

        override func visitPost(_ node: IfConfigDeclSyntax) { conditionDepth -= 1 }
    }
}

extension MemberBlockItemSyntax {
    /// The extension that the member is in, be it under a condition.
    fileprivate var enclosingExtension: ExtensionDeclSyntax? {
        var node = parent
        while let current = node {
            if let found = current.as(ExtensionDeclSyntax.self) { return found }
            guard
                [
                    .memberBlockItemList, .memberBlock, .ifConfigClause, .ifConfigClauseList, .ifConfigDecl,
                    .memberBlockItem,
                ]
                .contains(current.kind)
            else { return nil }
            node = current.parent
        }
        return nil
    }
}

extension AttributeListSyntax {
    /// Whether a member without these attributes, which calls the one with them, is the same to its callers.
    fileprivate var areForwardable: Bool {
        allSatisfy { element in
            guard case .attribute(let attribute) = element else { return true }
            return ["objc", "nonobjc", "discardableResult", "inlinable"]
                .contains(attribute.attributeName.trimmedDescription)
        }
    }
}

extension FunctionDeclSyntax {
    /// A call of the method by another name, with the parameters as arguments; nil where there is none.
    fileprivate var forwardedCall: ((String) -> String)? {
        guard genericParameterClause == nil, genericWhereClause == nil, !signature.description.contains("//") else {
            return nil
        }
        var arguments: [String] = []
        for parameter in signature.parameterClause.parameters {
            guard parameter.ellipsis == nil else { return nil }
            let value = (parameter.secondName ?? parameter.firstName).text
            let isInOut = parameter.type.trimmedDescription.hasPrefix("inout ")
            let label = parameter.firstName.tokenKind == .wildcard ? "" : "\(parameter.firstName.plainName): "
            arguments.append("\(label)\(isInOut ? "&" : "")\(value)")
        }
        let effects = signature.effectSpecifiers
        let marks =
            (effects?.throwsClause == nil ? "" : "try ") + (effects?.asyncSpecifier == nil ? "" : "await ")
        return { name in "\(marks)\(name)(\(arguments.joined(separator: ", ")))" }
    }
}

extension FunctionSignatureSyntax {
    /// The signature in one line, with the blank that stands before a result or an effect.
    fileprivate var singleLine: String {
        trimmedDescription.split(whereSeparator: \.isNewline)
            .map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: " ")
    }
}

extension PatternBindingSyntax {
    /// Whether a computed property has a setter; nil for one that is stored, has observers, or waits or throws.
    fileprivate var isComputedAndSettable: Bool? {
        guard initializer == nil, !hasEffects else { return nil }
        switch accessorBlock?.accessors {
        case .getter: return false
        case .accessors(let accessors):
            let kinds = accessors.map(\.accessorSpecifier.text)
            guard kinds.contains("get"), kinds.allSatisfy({ ["get", "set"].contains($0) }) else { return nil }
            return kinds.contains("set")
        case nil: return nil
        }
    }
}
