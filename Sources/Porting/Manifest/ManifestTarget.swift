import SwiftSyntax

/// A target in a manifest.
package struct ManifestTarget {
    /// What kind of target it is: "target", "testTarget" and so on.
    package let kind: String
    package let name: String
    /// The folder, where the manifest says it.
    package let path: String?
    /// The files and folders in the target's folder that don't belong to it, where the manifest lists them.
    package let exclude: [String]
    /// The files and folders in the target's folder that its sources are in; nil for all.
    package let sources: [String]?
    /// Where the manifest declares it; nil for one whose name the manifest computes.
    let call: FunctionCallExprSyntax?

    private static let kinds: Set<String> = ["target", "executableTarget", "testTarget", "macro"]

    /// The folders where such targets are, when the manifest says nothing.
    package var standardFolders: [String] {
        (kind == "testTarget" ? ["Tests"] : ["Sources", "Source", "src", "srcs"])
            .map { "\($0)/\(name)" } + (kind == "testTarget" ? ["Sources/\(name)"] : [])
    }

    init(
        kind: String, name: String, path: String?, exclude: [String], sources: [String]?,
        call: FunctionCallExprSyntax? = nil
    ) {
        (self.kind, self.name, self.path) = (kind, name, path)
        (self.exclude, self.sources) = (exclude, sources)
        self.call = call
    }

    init?(_ call: FunctionCallExprSyntax) {
        guard let kind = Self.kind(of: call), let name = call.string(of: "name") else { return nil }
        self.kind = kind
        self.name = name
        path = call.string(of: "path")
        exclude = call.strings(of: "exclude") ?? []
        sources = call.strings(of: "sources")
        self.call = call
    }

    /// Whether a call makes a target whose name or files are computed.
    static func isComputed(_ call: FunctionCallExprSyntax) -> Bool {
        guard kind(of: call) != nil else { return false }
        let strings = ["name", "path"].contains { call.argument($0) != nil && call.string(of: $0) == nil }
        return strings || ["exclude", "sources"].contains { call.argument($0) != nil && call.strings(of: $0) == nil }
    }

    /// The same target, with the files that the manifest computes for it.
    func evaluated(_ other: ManifestTarget) -> ManifestTarget {
        ManifestTarget(
            kind: kind, name: name, path: other.path, exclude: other.exclude, sources: other.sources, call: call)
    }

    /// The kind of target that a call makes, if it makes one.
    private static func kind(of call: FunctionCallExprSyntax) -> String? {
        guard let kind = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            kinds.contains(kind), isTarget(call)
        else { return nil }
        return kind
    }

    /// Whether the call stands among targets, and not among the dependencies of one.
    private static func isTarget(_ call: FunctionCallExprSyntax) -> Bool {
        var node = call.parent
        while let current = node {
            if current.declaresDependency { return false }
            if let argument = current.as(LabeledExprSyntax.self), let label = argument.label?.text {
                return label == "targets"
            }
            node = current.parent
        }
        return true
    }
}

extension Syntax {
    /// Whether this declares dependencies of targets: `let core: Target.Dependency = .target(name: "Core")`.
    fileprivate var declaresDependency: Bool {
        let type: (any SyntaxProtocol)? =
            self.as(PatternBindingSyntax.self)?.typeAnnotation?.type
            ?? self.as(FunctionDeclSyntax.self)?.signature.returnClause?.type
            ?? self.as(ExtensionDeclSyntax.self)?.extendedType
        return type?.trimmedDescription.contains("Dependency") ?? false
    }
}

extension FunctionCallExprSyntax {
    /// The argument of a label.
    func argument(_ label: String) -> LabeledExprSyntax? { arguments.first { $0.label?.text == label } }

    /// An argument that is a list of strings without anything computed in it.
    func strings(of label: String) -> [String]? {
        let elements = argument(label)?.expression.as(ArrayExprSyntax.self)?.elements.map {
            $0.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }
        guard let elements, elements.allSatisfy({ $0 != nil }) else { return nil }
        return elements.compactMap { $0 }
    }

    /// An argument that is a string without anything computed in it.
    func string(of label: String) -> String? {
        argument(label)?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}
