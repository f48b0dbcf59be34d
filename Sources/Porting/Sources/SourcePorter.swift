import SwiftParser
import SwiftSyntax

/// Finds in a source what Linux refuses, and how it is written there.
final class SourcePorter: SyntaxVisitor {
    let style: PortingStyle
    let path: String
    let tree: SourceFileSyntax
    let bytes: [UInt8]
    var edits: [SourceEdit] = []

    private let converter: SourceLocationConverter
    /// What needs a hand, with the place that it is about.
    private var remarks: [(offset: Int, message: String)] = []
    /// The imports that count on Linux.
    private var imports: [ImportDeclSyntax] = []
    private var names: Set<String> = []
    private var hasManagedMembers = false
    private var needsCoreData = false
    private lazy var methods = MethodTable(tree)

    /// Rewrites a source.
    ///
    /// - Parameter path: the file's path, for remarks.
    static func port(_ text: String, path: String, style: PortingStyle) -> PortedSource {
        let moved = OverrideMover.move(in: text, path: path, style: style)
        let porter = SourcePorter(RequestCasts.rewrite(in: moved, style: style), path: path, style: style)
        porter.walk(porter.tree)
        return porter.result()
    }

    private init(_ text: String, path: String, style: PortingStyle) {
        self.style = style
        self.path = path
        tree = Parser.parse(source: text)
        bytes = Array(text.utf8)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    private func result() -> PortedSource {
        if let excluded = excludingWholeFile() { return excluded }
        portImports()
        let text = SourceEdit.apply(edits, to: bytes)
        return PortedSource(
            text: text, remarks: placed(in: text), usesCoreData: usesCoreData, hasManagedMembers: hasManagedMembers)
    }

    func remark(_ message: String, at node: some SyntaxProtocol) {
        remarks.append((node.trimmedStart, message))
    }

    /// The remarks with the lines that people will look at: of the original where that stays, and else of the new text.
    private func placed(in text: String) -> [PortingRemark] {
        let new = Array(text.utf8)
        return remarks.map { offset, message in
            let line =
                switch style {
                case .overlay:
                    converter.location(for: AbsolutePosition(utf8Offset: offset)).presumedLine
                case .portable:
                    new[..<SourceEdit.offset(offset, after: edits)].count { $0 == UInt8(ascii: "\n") } + 1
                }
            return PortingRemark(file: path, line: line, message: message)
        }
    }

    // MARK: - Conditions

    /// What is not compiled on Linux stays as it is.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for elements in node.clausesOnLinux { walk(elements) }
        return .skipChildren
    }

    // MARK: - Names and imports

    override func visit(_ node: TokenSyntax) -> SyntaxVisitorContinueKind {
        if case .identifier = node.tokenKind { names.insert(node.text) }
        return .visitChildren
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        imports.append(node)
        return .skipChildren
    }

    private var importsCoreData: Bool { imports.contains { $0.module == "CoreData" } }

    private var usesCoreData: Bool { importsCoreData || needsCoreData || names.contains(where: CoreDataNames.contains) }

    /// The ported source where all of it needs a framework that Linux lacks.
    private func excludingWholeFile() -> PortedSource? {
        guard
            let node = imports.first(where: {
                AppleFramework.isMissing($0.module) && AppleFramework.isUsed($0.module, by: names)
            })
        else { return nil }
        remarks = []
        remark("the file needs \(node.module), which Linux lacks, and is left out there", at: node)
        switch style {
        case .portable:
            // Comments at the top, such as a licence, stay there.
            let start = tree.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = bytes.last == UInt8(ascii: "\n") ? "#endif\n" : "\n#endif\n"
            edits = [
                SourceEdit(insert: "#if canImport(\(node.module))\n", at: start),
                SourceEdit(insert: end, at: bytes.count),
            ]
        case .overlay:
            edits = [SourceEdit(0..<bytes.count, "// This file needs \(node.module), which Linux lacks.\n")]
        }
        let text = SourceEdit.apply(edits, to: bytes)
        return PortedSource(
            text: text, remarks: placed(in: text), usesCoreData: false, hasManagedMembers: false)
    }

    private func portImports() {
        for node in imports {
            if AppleFramework.isMissing(node.module) {
                switch style {
                case .overlay: blank(node)
                case .portable: wrap(node, in: "canImport(\(node.module))")
                }
            } else if node.module == "CoreData", node.importKindSpecifier == nil, node.path.count > 1,
                let first = node.path.first
            {
                edits.append(SourceEdit(first.name.trimmedEnd..<node.trimmedEnd, ""))
            }
        }
        if usesCoreData, !importsCoreData { addImport() }
    }

    private func addImport() {
        // An import under a condition is no place for one without.
        if let first = imports.first(where: { $0.parent?.parent?.parent?.is(SourceFileSyntax.self) == true }) {
            let text = style == .overlay ? "import CoreData; " : "import CoreData\n"
            return edits.append(SourceEdit(insert: text, at: first.trimmedStart))
        }
        let start = tree.positionAfterSkippingLeadingTrivia.utf8Offset
        switch style {
        case .portable: edits.append(SourceEdit(insert: "import CoreData\n\n", at: start))
        case .overlay:
            let location = "#sourceLocation(file: \"\(path)\", line: 1)"
            edits.append(SourceEdit(insert: "import CoreData\n\(location)\n", at: 0))
        }
    }

    // MARK: - Declarations

    override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind {
        if node.contains(where: { $0.as(AttributeSyntax.self)?.name == "NSManaged" }) { hasManagedMembers = true }
        port(node)
        return .visitChildren
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        portObjectiveCProtocol(node)
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text == "observeValue",
            node.modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) })
        {
            remark(
                "observeValue(forKeyPath:of:change:context:) can't be overridden: adopt KeyValueObserver, and declare "
                    + "it without override",
                at: node.name)
        }
        return .visitChildren
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
        remarkOnModifier(node)
        return .visitChildren
    }

    // MARK: - Expressions

    override func visit(_ node: UnresolvedAsExprSyntax) -> SyntaxVisitorContinueKind {
        // Those that RequestCasts could rewrite are gone. What is checked when it is compiled (`as`) is as true here.
        if node.questionOrExclamationMark != nil, let type = node.nextOperand?.as(TypeExprSyntax.self)?.type,
            type.trimmedDescription.hasPrefix("NSFetchRequest<")
        {
            remark(
                "generics are invariant on Linux, so this cast can't succeed: write NSFetchRequest<…>.cast(request) there",
                at: node)
        }
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.macroName.text {
        case "keyPath": portKeyPath(node)
        case "selector":
            remark(
                "#selector needs the Objective-C runtime: call the method, or pass a closure that calls it", at: node)
        default: return .visitChildren
        }
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if portObserver(node, methods: methods) {
            needsCoreData = needsCoreData || style == .overlay
            return .skipChildren
        }
        return .visitChildren
    }
}

extension SourcePorter {
    /// Puts spaces in the place of something, so that nothing else moves.
    func blank(_ node: some SyntaxProtocol) { blank(node.trimmedStart..<node.trimmedEnd) }

    /// Puts spaces in the place of bytes; lines stay.
    func blank(_ range: Range<Int>) {
        let blanks = bytes[range].map { $0 == UInt8(ascii: "\n") ? "\n" : " " }.joined()
        edits.append(SourceEdit(range, blanks))
    }

    /// How many lines end in a part of the source.
    func lineCount(_ range: Range<Int>) -> Int { bytes[range].count { $0 == UInt8(ascii: "\n") } }

    /// The text of a part of the source.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension SyntaxProtocol {
    var trimmedStart: Int { positionAfterSkippingLeadingTrivia.utf8Offset }
    var trimmedEnd: Int { endPositionBeforeTrailingTrivia.utf8Offset }
}

extension ImportDeclSyntax {
    /// The module that is imported, without its submodules.
    var module: String { path.first?.name.text ?? "" }
}

extension UnresolvedAsExprSyntax {
    /// What follows in the sequence of operators and operands.
    var nextOperand: ExprSyntax? {
        guard let list = parent?.as(ExprListSyntax.self), let index = list.firstIndex(where: { $0.id == id }) else {
            return nil
        }
        let next = list.index(after: index)
        return next < list.endIndex ? list[next] : nil
    }
}

extension AttributeSyntax {
    var name: String { attributeName.trimmedDescription }
}
