import SwiftParser
import SwiftSyntax

/// Adds to a manifest the dependency on OpenCoreData, and to targets its product and plugin.
package final class ManifestPorter: SyntaxVisitor {
    /// The oldest manifests that know plugins and the conditions of dependencies.
    private static let oldestToolsVersion = (major: 5, minor: 9)
    /// The oldest manifests in whose packages what plugins make are resources.
    private static let oldestWithGeneratedResources = (major: 5, minor: 7)
    private static let product = "CoreData"
    private static let plugin = "CoreDataModelPlugin"
    private static let openCombine = "OpenCombine"
    private static let openCombineDependency =
        ".package(url: \"https://github.com/OpenCombine/OpenCombine.git\", from: \"0.14.0\")"

    private let text: String
    private let path: String
    private let tree: SourceFileSyntax
    private let converter: SourceLocationConverter
    private var package: FunctionCallExprSyntax?
    /// The variable that has the package.
    private var variable: String?
    /// The targets that the manifest declares.
    package private(set) var targets: [ManifestTarget] = []
    /// Whether some of the targets are known only once the manifest has run.
    package private(set) var computesTargets = false
    /// What couldn't be done.
    package private(set) var remarks: [PortingRemark] = []
    private var edits: [SourceEdit] = []
    /// What is to be added to arrays, by the place of the argument and in order, so that several make one edit.
    private var additions: [Addition] = []
    /// Statements for the end of the manifest, where arrays are computed.
    private var statements: [String] = []

    /// Elements for an array of the package or of a target.
    private struct Addition {
        let label: String
        /// The call whose argument the array is; nil where the manifest computes the target.
        let call: FunctionCallExprSyntax?
        /// The target whose array it is; nil for the package's.
        let target: String?
        /// The arguments that come before it; nil for all.
        let after: [String]?
        var elements: [String]
    }

    package init(_ text: String, path: String) {
        self.text = text
        self.path = path
        tree = Parser.parse(source: text)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    package override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text, name == "Package" {
            self.package = self.package ?? node
        }
        if let target = ManifestTarget(node) { targets.append(target) }
        if ManifestTarget.isComputed(node) { computesTargets = true }
        return .visitChildren
    }

    package override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let call = node.initializer?.value.as(FunctionCallExprSyntax.self)
        let isPackage =
            call?.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "Package"
            || node.typeAnnotation?.type.trimmedDescription == "Package"
        if isPackage { variable = variable ?? node.pattern.trimmedDescription }
        return .visitChildren
    }

    /// The folders of other packages that the package depends on.
    package private(set) lazy var localDependencies: [String] = {
        guard let array = self.package?.argument("dependencies")?.expression.as(ArrayExprSyntax.self) else { return [] }
        return array.elements.compactMap { $0.expression.as(FunctionCallExprSyntax.self)?.string(of: "path") }
    }()

    /// Has the manifest run, so that targets are known which it computes.
    func evaluate(in folder: PackageFolder) {
        guard computesTargets else { return }
        do {
            let evaluated = try EvaluatedManifest(of: folder)
            var computed = Dictionary(evaluated.targets.map { ($0.name, $0) }) { first, _ in first }
            targets = targets.map { target in computed.removeValue(forKey: target.name).map(target.evaluated) ?? target
            }
            targets += evaluated.targets.filter { computed[$0.name] != nil }
            localDependencies = evaluated.localDependencies
        } catch {
            remarks.append(
                PortingRemark(
                    file: path, line: 1, message: "the manifest computes targets, and they can't be had: \(error)"))
        }
    }

    /// Whether the manifest's tools version is older than plugins are.
    package var isOld: Bool {
        guard let (version, _) = toolsVersion else { return false }
        return version < Self.oldestToolsVersion
    }

    /// Whether the manifest's tools version is older than resources that plugins make, such as compiled models.
    package var ignoresGeneratedResources: Bool {
        guard let (version, _) = toolsVersion else { return false }
        return version < Self.oldestWithGeneratedResources
    }

    /// The manifest with what targets need, by their names.
    ///
    /// - Parameters:
    ///   - reference: where OpenCoreData is.
    ///   - raisesToolsVersion: whether a manifest that is too old for plugins becomes a newer one.
    package func ported(needs: [String: TargetNeeds], reference: PackageReference, raisesToolsVersion: Bool) -> String {
        let concerned = targets.filter { !(needs[$0.name]?.isEmpty ?? true) }
        guard !concerned.isEmpty else { return text }
        guard package != nil || variable != nil else {
            remarks.append(PortingRemark(file: path, line: 1, message: "no Package(…) is found in the manifest"))
            return text
        }
        edits = []
        statements = []
        for target in concerned {
            guard let needs = needs[target.name] else { continue }
            for (product, package) in products(for: needs, reference: reference) {
                add(
                    ".product(name: \"\(product)\", package: \"\(package)\", "
                        + "condition: .when(platforms: [.linux]))",
                    to: "dependencies", of: target.call, target: target.name, after: ["name"], unless: "\"\(product)\"")
            }
            if needs.plugin {
                add(
                    ".plugin(name: \"\(Self.plugin)\", package: \"\(reference.identity)\")", to: "plugins",
                    of: target.call, target: target.name, after: nil, unless: "\"\(Self.plugin)\"")
            }
        }
        flushAdditions()
        guard !edits.isEmpty || !statements.isEmpty else { return text }
        let usesOpenCombine = concerned.contains { needs[$0.name]?.modules.contains(.combine) == true }
        let isOwnKnown = text.contains("OpenCoreData\"") || text.contains("/\(reference.identity)")
        let packages =
            (isOwnKnown ? [] : [reference.dependency])
            + (usesOpenCombine && !text.contains("/\(Self.openCombine)") ? [Self.openCombineDependency] : [])
        for dependency in packages {
            add(
                dependency, to: "dependencies", of: package,
                after: [
                    "name", "defaultLocalization", "platforms", "pkgConfig", "providers", "products", "traits",
                ], unless: dependency)
        }
        flushAdditions()
        if !statements.isEmpty {
            let end = text.utf8.last == UInt8(ascii: "\n") ? "" : "\n"
            let added = statements.joined(separator: "\n") + "\n"
            edits.append(SourceEdit(insert: "\(end)\n\(added)", at: text.utf8.count))
        }
        if raisesToolsVersion, isOld, let (_, range) = toolsVersion {
            edits.append(SourceEdit(range, "\(Self.oldestToolsVersion.major).\(Self.oldestToolsVersion.minor)"))
        }
        return SourceEdit.apply(edits, to: Array(text.utf8))
    }

    /// The products that a target needs, and the packages that they are from.
    private func products(for needs: TargetNeeds, reference: PackageReference) -> [(product: String, package: String)] {
        var products = needs.coreData ? [(Self.product, reference.identity)] : []
        for module in needs.modules.sorted() {
            let package = module == .combine ? Self.openCombine : reference.identity
            products += module.replacements.map { ($0, package) }
        }
        return products
    }

    private var toolsVersion: (version: (major: Int, minor: Int), range: Range<Int>)? {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        guard line.contains("swift-tools-version"), let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let rest = line.utf8[colon...].dropFirst()
        let digits = rest.drop { $0 == UInt8(ascii: " ") }.prefix { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
        let numbers = digits.split(separator: UInt8(ascii: ".")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard let major = numbers.first else { return nil }
        let start = line.utf8.distance(from: line.utf8.startIndex, to: digits.startIndex)
        return ((major, numbers.dropFirst().first ?? 0), start..<(start + digits.count))
    }

    // MARK: - Edits

    /// Notes an element for an array that is an argument; where there is no such argument, it comes after others.
    private func add(
        _ element: String, to label: String, of call: FunctionCallExprSyntax?, target: String? = nil, after: [String]?,
        unless present: String
    ) {
        if call?.argument(label)?.expression.trimmedDescription.contains(present) == true { return }
        let index = additions.firstIndex { $0.label == label && $0.target == target && $0.call?.id == call?.id }
        if let index {
            additions[index].elements.append(element)
        } else {
            additions.append(Addition(label: label, call: call, target: target, after: after, elements: [element]))
        }
    }

    /// Makes edits and statements of what is to be added.
    private func flushAdditions() {
        for addition in additions { write(addition) }
        additions = []
    }

    private func write(_ addition: Addition) {
        let (label, elements) = (addition.label, addition.elements)
        guard let call = addition.call else { return state(addition) }
        guard let argument = call.argument(label) else {
            return addArgument("\(label): [\(elements.joined(separator: ", "))]", to: call, after: addition.after)
        }
        guard let array = argument.expression.as(ArrayExprSyntax.self) else { return state(addition) }
        guard let last = array.elements.last else {
            edits.append(SourceEdit(insert: elements.joined(separator: ", "), at: array.leftSquare.trimmedEnd))
            return
        }
        // In a list with a line for each element, the new one has a line too.
        let isMultiline = last.leadingTrivia.contains { if case .newlines = $0 { true } else { false } }
        let indent = last.leadingTrivia.reduce("") {
            if case .spaces(let count) = $1 { String(repeating: " ", count: count) } else { $0 }
        }
        let comma = last.trailingComma == nil ? "," : ""
        let trailing = last.trailingComma == nil ? "" : ","
        let separator = isMultiline ? "\n\(indent)" : " "
        let text = elements.joined(separator: ",\(separator)")
        edits.append(SourceEdit(insert: "\(comma)\(separator)\(text)\(trailing)", at: last.trimmedEnd))
    }

    /// Adds to an array that the manifest computes, by a statement at the manifest's end.
    private func state(_ addition: Addition) {
        let (label, elements) = (addition.label, "[\(addition.elements.joined(separator: ", "))]")
        guard let variable else {
            let line = addition.call.map { $0.startLocation(converter: converter).line } ?? 1
            remarks.append(
                PortingRemark(
                    file: path, line: line, message: "\(label) is computed: add \(elements) to it by hand"))
            return
        }
        var statement = "\(variable).\(label) += \(elements)"
        if let target = addition.target {
            let old = label == "plugins" ? "(target.plugins ?? [])" : "target.\(label)"
            statement =
                "for target in \(variable).targets where target.name == \"\(target)\" "
                + "{ target.\(label) = \(old) + \(elements) }"
        }
        if !text.contains(statement) { statements.append(statement) }
    }

    private func addArgument(_ argument: String, to call: FunctionCallExprSyntax, after: [String]?) {
        let before = call.arguments.last { argument in
            after.map { $0.contains(argument.label?.text ?? "") } ?? true
        }
        guard let before else { return }
        let isMultiline = before.leadingTrivia.contains { if case .newlines = $0 { true } else { false } }
        let indent = before.leadingTrivia.reduce("") {
            if case .spaces(let count) = $1 { String(repeating: " ", count: count) } else { $0 }
        }
        let separator = isMultiline ? "\n\(indent)" : " "
        if before.trailingComma == nil {
            edits.append(SourceEdit(insert: ",\(separator)\(argument)", at: before.trimmedEnd))
        } else {
            edits.append(SourceEdit(insert: "\(separator)\(argument),", at: before.trimmedEnd))
        }
    }
}
