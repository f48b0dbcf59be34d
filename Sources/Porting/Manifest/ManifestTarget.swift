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
    let call: FunctionCallExprSyntax

    private static let kinds: Set<String> = ["target", "executableTarget", "testTarget", "macro"]

    /// The folders where such targets are, when the manifest says nothing.
    package var standardFolders: [String] {
        (kind == "testTarget" ? ["Tests"] : ["Sources", "Source", "src", "srcs"])
            .map { "\($0)/\(name)" } + (kind == "testTarget" ? ["Sources/\(name)"] : [])
    }

    init?(_ call: FunctionCallExprSyntax) {
        guard let kind = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            Self.kinds.contains(kind), let name = call.string(of: "name"), Self.isTarget(call)
        else { return nil }
        self.kind = kind
        self.name = name
        path = call.string(of: "path")
        exclude = call.strings(of: "exclude") ?? []
        sources = call.strings(of: "sources")
        self.call = call
    }

    /// Whether the call stands among targets, and not among the dependencies of one.
    private static func isTarget(_ call: FunctionCallExprSyntax) -> Bool {
        var node = call.parent
        while let current = node {
            if let argument = current.as(LabeledExprSyntax.self), let label = argument.label?.text {
                return label == "targets"
            }
            if current.is(CodeBlockItemSyntax.self) { return true }
            node = current.parent
        }
        return true
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
