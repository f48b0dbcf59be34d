import SwiftSyntax

/// A method that Objective-C's run time finds by its selector on Apple's platforms, or a class property that it finds as such.
struct ObjectiveCMethod {
    /// The prefix of class members that name the keys on which another key depends.
    static let dependencies = "keyPathsForValuesAffecting"

    let name: String
    /// The labels of the parameters; nil for "_".
    let labels: [String?]
    /// The name in `@objc(name:)`.
    let objectiveCName: String?
    let hasResult: Bool
    /// Whether it is of the class itself. Such a one is noted where it names dependent keys only.
    let isOfClass: Bool
    /// Whether it is read without parentheses.
    let isProperty: Bool
    let scope: LexicalScope
    let access: AccessLevel
    /// Whether it, or the extension around, is marked as Objective-C's.
    let isObjectiveC: Bool

    var selector: String { objectiveCName ?? SelectorName.exported(name, labels: labels) }
}

extension ObjectiveCMethod {
    /// Parameters of these kinds can't be given by an expression.
    private static let unfitting = ["Pointer", "->", "some ", "inout ", "...", "Selector"]

    /// - Returns: nil for a method that can't be called with objects from anywhere: a private, throwing, asynchronous or generic
    ///   one, one of an actor, or one that overrides a method which then calls it.
    init?(_ node: FunctionDeclSyntax, in scope: LexicalScope) {
        let modifiers = Set(node.modifiers.map(\.name.text))
        let effects = node.signature.effectSpecifiers
        let parameters = node.signature.parameterClause.parameters
        guard case .identifier = node.name.tokenKind, Self.isReachable(node.attributes, in: scope),
            !modifiers.contains("override"), node.genericParameterClause == nil, effects?.asyncSpecifier == nil,
            effects?.throwsClause == nil,
            !parameters.contains(where: { parameter in
                parameter.ellipsis != nil || Self.unfitting.contains { parameter.type.trimmedDescription.contains($0) }
            })
        else { return nil }
        name = node.name.plainName
        labels = parameters.map { $0.firstName.tokenKind == .wildcard ? nil : $0.firstName.plainName }
        objectiveCName = node.attributes.objectiveCName
        let result = node.signature.returnClause?.type.trimmedDescription
        hasResult = !(result.map { ["Void", "()"].contains($0) } ?? true)
        isOfClass = !modifiers.isDisjoint(with: ["static", "class"])
        isProperty = false
        self.scope = scope
        access = scope.access(of: node.modifiers)
        isObjectiveC = node.attributes.contains("objc") || scope.hasObjectiveCMembers
        guard !isOfClass || name.hasPrefix(Self.dependencies) && labels.isEmpty else { return nil }
    }

    /// - Returns: nil for a property other than one of a class that names dependent keys.
    init?(_ node: VariableDeclSyntax, in scope: LexicalScope) {
        guard Self.isReachable(node.attributes, in: scope),
            node.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }),
            !node.modifiers.contains(where: { $0.name.text == "override" }), node.bindings.count == 1,
            let binding = node.bindings.first, !binding.hasEffects,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName,
            name.hasPrefix(Self.dependencies)
        else { return nil }
        self.name = name
        labels = []
        objectiveCName = node.attributes.objectiveCName
        hasResult = true
        isOfClass = true
        isProperty = true
        self.scope = scope
        access = scope.access(of: node.modifiers)
        isObjectiveC = node.attributes.contains("objc") || scope.hasObjectiveCMembers
    }

    private static func isReachable(_ attributes: AttributeListSyntax, in scope: LexicalScope) -> Bool {
        !scope.isLocal && !scope.isIsolated && !attributes.containGlobalActor && !attributes.contains("nonobjc")
            && !attributes.contains("available")
    }
}
