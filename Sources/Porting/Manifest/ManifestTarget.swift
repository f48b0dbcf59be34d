import SwiftSyntax

/// A target in a manifest.
package struct ManifestTarget {
    /// What kind of target it is: "target", "testTarget" and so on.
    package let kind: String
    package let name: String
    /// The folder, where the manifest says it.
    package let path: String?
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

    /// An argument that is a string without anything computed in it.
    func string(of label: String) -> String? {
        argument(label)?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}
