import ModelCompiler
import SwiftParser
import SwiftSyntax

/// Finds in a source what Linux refuses, and how it is written there.
final class SourcePorter: SyntaxVisitor {
    let style: PortingStyle
    let path: String
    let tree: SourceFileSyntax
    let bytes: [UInt8]
    var edits: [SourceEdit] = []

    let surroundings: PortingSurroundings
    let converter: SourceLocationConverter
    /// What needs a hand, with the place that it is about.
    var remarks: [(offset: Int, message: String)] = []
    /// The imports that count on Linux.
    private(set) var imports: [ImportDeclSyntax] = []
    /// The modules that are imported under conditions, whether or not these hold on Linux.
    private(set) var conditionalModules: Set<String> = []
    private(set) var names: Set<String> = []
    private var needsPlugin = false
    private var needsCoreData = false
    private var usesKeyValueCoding = false
    /// The stand-ins for Apple's modules that the source imports.
    var modules: Set<SubstituteModule> = []
    private lazy var ownDeclarations = DeclarationTable(tree)
    lazy var privateTypes = PrivateTypes(tree)
    /// How many functions and closures are around what is being visited.
    private var bodyDepth = 0

    /// Rewrites a source.
    ///
    /// - Parameters:
    ///   - path: the file's path, for remarks.
    ///   - surroundings: what the rest of the package has.
    static func port(
        _ text: String, path: String, style: PortingStyle, surroundings: PortingSurroundings
    ) -> PortedSource {
        let freed = NeedlessCondition.rewrite(in: text, style: style, surroundings: surroundings)
        let moved = OverrideMover.move(in: freed, path: path, style: style)
        let forwarded = ExtensionOverrides.rewrite(in: moved, path: path, style: style, surroundings: surroundings)
        let observing = ObserverOverrides.rewrite(in: forwarded, style: style, surroundings: surroundings)
        let cast = LinuxForms.rewrite(in: observing, style: style, surroundings: surroundings)
        let bridged = BridgedCasts.rewrite(in: cast, style: style, surroundings: surroundings)
        let named = OwnKeyPaths.rewrite(in: bridged, style: style, surroundings: surroundings)
        let caught = ErrorCatches.rewrite(in: named, style: style, surroundings: surroundings)
        let required = OptionalRequirements.rewrite(in: caught, style: style, surroundings: surroundings)
        let tested = TestForms.rewrite(in: required, surroundings: surroundings)
        let porter = SourcePorter(tested, path: path, style: style, surroundings: surroundings)
        porter.walk(porter.tree)
        return porter.result()
    }

    private init(_ text: String, path: String, style: PortingStyle, surroundings: PortingSurroundings) {
        self.style = style
        self.surroundings = surroundings
        self.path = path
        tree = Parser.parse(source: text)
        bytes = Array(text.utf8)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    private func result() -> PortedSource {
        if let excluded = excludingWholeFile() { return excluded }
        portImports()
        if surroundings.bridgesCombine, modules.contains(.combine) {
            edits.append(SourceEdit(insert: CombineBridge.text, at: bytes.count))
            needsCoreData = true
        }
        if modules.contains(.combine), CombineOperators.areUsed(by: names) {
            edits.append(SourceEdit(insert: CombineOperators.text, at: bytes.count))
        }
        var text = SourceEdit.apply(edits, to: bytes)
        text += PrivateKeyPaths.lines(of: text, path: path, isForPeople: style == .portable)
        return PortedSource(
            text: text, remarks: located(in: text), usesCoreData: usesCoreData, needsPlugin: needsPlugin,
            modules: modules)
    }

    /// A method that the source or another one of its target declares.
    func method(named name: String) -> DeclarationTable.Method? {
        ownDeclarations.method(named: name) ?? surroundings.declarations.method(named: name)
    }

    /// Records that what was written needs `import CoreData`.
    func requireCoreData() { needsCoreData = true }

    /// Whether what is being visited is inside of a function.
    var isInFunction: Bool { bodyDepth > 0 }

    // MARK: - Conditions

    /// What is not compiled on Linux stays as it is.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        conditionalModules.formUnion(node.importedModules)
        for elements in node.clausesOnLinux(surroundings) { walk(elements) }
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

    /// Whether an import that counts on Linux is of CoreData.
    var importsCoreData: Bool { imports.contains { $0.module == "CoreData" } }

    /// Whether the source needs CoreData on Linux, imported or not.
    var usesCoreData: Bool {
        importsCoreData || needsCoreData || names.contains(where: CoreDataNames.contains)
            || usesKeyValueCoding && names.contains("UserDefaults")
    }

    /// The ported source where all of it needs a framework that Linux lacks.
    private func excludingWholeFile() -> PortedSource? {
        guard let node = imports.first(where: { isMissed($0.module) || isMissed(moduleMeant(by: $0)) }) else {
            return nil
        }
        remarks = []
        remark("the file needs \(node.module), which Linux lacks, \(Self.leftOut)", at: node)
        switch style {
        case .portable:
            portImports(isUnder: node.module)
            // Comments at the top, such as a licence, stay there. What is inside is ported as well: a package may have a
            // module of that name on Linux one day.
            let start = tree.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = bytes.last == UInt8(ascii: "\n") ? "#endif\n" : "\n#endif\n"
            edits.insert(SourceEdit(insert: "#if canImport(\(node.module))\n", at: start), at: 0)
            edits.append(SourceEdit(insert: end, at: bytes.count))
        case .overlay:
            edits = [SourceEdit(0..<bytes.count, "// This file needs \(node.module), which Linux lacks.\n")]
        }
        let text = SourceEdit.apply(edits, to: bytes)
        return PortedSource(
            text: text, remarks: located(in: text), usesCoreData: false, needsPlugin: false, isLeftOut: true)
    }

    // MARK: - Declarations

    override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind {
        if node.contains(where: { $0.as(AttributeSyntax.self)?.name == "NSManaged" }) { needsPlugin = true }
        for name in ["Observable", "Published"]
        where node.contains(where: { $0.as(AttributeSyntax.self)?.name == name }) { names.insert("@\(name)") }
        port(node)
        return .visitChildren
    }

    override func visit(_ node: InheritedTypeSyntax) -> SyntaxVisitorContinueKind {
        if node.type.trimmedDescription == "NSEntityMigrationPolicy" { needsPlugin = true }
        if node.type.trimmedDescription == "Observable" { names.insert("@Observable") }
        return .visitChildren
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        portObjectiveCProtocol(node)
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        bodyDepth += 1
        remarkOnObserving(node)
        return .visitChildren
    }

    override func visitPost(_ node: FunctionDeclSyntax) { bodyDepth -= 1 }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: InitializerDeclSyntax) { bodyDepth -= 1 }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: AccessorBlockSyntax) { bodyDepth -= 1 }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: ClosureExprSyntax) { bodyDepth -= 1 }

    private func enterBody() -> SyntaxVisitorContinueKind {
        bodyDepth += 1
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        portLocalManagedProperty(node) ? .skipChildren : .visitChildren
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        portQualifier(node.baseType.as(IdentifierTypeSyntax.self)?.name, of: node.name)
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
            let name = type.as(IdentifierTypeSyntax.self)?.name.text, LinuxForms.conditionalCasts[name] != nil,
            type.as(IdentifierTypeSyntax.self)?.genericArgumentClause != nil
        {
            remark(
                "generics are invariant on Linux, so this cast can't succeed: write \(name)<…>.cast(…) there", at: node)
        }
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.macroName.text {
        case "keyPath": portKeyPath(node)
        case "selector": portSelector(node)
        default: return .visitChildren
        }
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if portObserver(node) {
            needsCoreData = needsCoreData || style == .overlay
            return .skipChildren
        }
        if portStringFromSelector(node) { return .skipChildren }
        let member = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        if let member, ["value", "setValue"].contains(member),
            ["forKey", "forKeyPath"].contains(node.arguments.last?.label?.text)
        {
            usesKeyValueCoding = true
        }
        if let member, ["addObserver", "removeObserver"].contains(member),
            node.arguments.contains(where: { $0.label?.text == "forKeyPath" })
        {
            needsCoreData = true
        }
        if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text, name == "Bundle",
            let label = node.arguments.first?.label?.text, ["for", "forTargetOf"].contains(label)
        {
            // A target's resources are found by what CoreData adds.
            needsCoreData = true
        }
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let base = node.base?.as(DeclReferenceExprSyntax.self)?.baseName
        portQualifier(base, of: node.declName.baseName)
        // What CoreData adds to Foundation's classes for Linux.
        if CoreDataNames.isAdded(node.declName.baseName.text, to: base?.text) { needsCoreData = true }
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        portLiteralOfSet(node)
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
