import Dispatch
import SwiftParser
import SwiftSyntax
import Synchronization

/// Finds the types and `@NSManaged` declarations of a source file.
final class SourceScanner: SyntaxVisitor {
    private var file: ScannedFile
    private var scope: LexicalScope
    private let converter: SourceLocationConverter
    /// Whether each of the scope's outer levels is isolated.
    private var isolation: [Bool] = []

    /// Scans the text of a file.
    static func scan(_ text: String, path: String) -> ScannedFile {
        let tree = Parser.parse(source: text)
        let scanner = SourceScanner(path: path, tree: tree)
        scanner.walk(tree)
        return scanner.file
    }

    /// Scans files on all processors: a build waits for it, with the parser built without optimisation.
    static func scan(_ sources: [SourceText]) -> [ScannedFile] {
        let files = Mutex([ScannedFile?](repeating: nil, count: sources.count))
        DispatchQueue.concurrentPerform(iterations: sources.count) { index in
            let file = scan(sources[index].text, path: sources[index].path)
            files.withLock { $0[index] = file }
        }
        return files.withLock { $0.compactMap(\.self) }
    }

    private init(path: String, tree: SourceFileSyntax) {
        file = ScannedFile(path: path)
        scope = LexicalScope(file: path)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        if let module = node.path.first?.name.text {
            let isTestable = node.attributes.contains { $0.trimmedDescription == "@testable" }
            file.imports.append(ImportedModule(name: module, isTestable: isTestable))
        }
        return .skipChildren
    }

    // MARK: - Types

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, as: .class) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, as: .struct) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, as: .class) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, as: .enum) }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        declare(
            node.name.plainName, .protocol, node.modifiers, inheritance: node.inheritanceClause, parameters: [])
        return .skipChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        let parameters = node.genericParameterClause?.parameters.map(\.name.plainName) ?? []
        declare(
            node.name.plainName, .alias(node.initializer.value), node.modifiers, inheritance: nil,
            parameters: parameters)
        return .skipChildren
    }

    override func visitPost(_ node: ClassDeclSyntax) { leave() }
    override func visitPost(_ node: StructDeclSyntax) { leave() }
    override func visitPost(_ node: ActorDeclSyntax) { leave() }
    override func visitPost(_ node: EnumDeclSyntax) { leave() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let level = LexicalScope.Level.extension(
            of: node.extendedType, access: AccessLevel(node.modifiers),
            isConstrained: node.genericWhereClause != nil, isObjectiveC: node.attributes.contains("objc"))
        enter(level, isIsolated: node.attributes.containGlobalActor)
        return .visitChildren
    }

    override func visitPost(_ node: ExtensionDeclSyntax) { leave() }

    private func enter(_ level: LexicalScope.Level, isIsolated: Bool) {
        scope.levels.append(level)
        isolation.append(scope.isIsolated)
        if isIsolated { scope.isIsolated = true }
    }

    private func leave() {
        scope.levels.removeLast()
        scope.isIsolated = isolation.removeLast()
    }

    private func enter(
        _ node: some DeclGroupSyntax & NamedDeclSyntax & WithGenericParametersSyntax, as form: DeclaredType.Form
    ) -> SyntaxVisitorContinueKind {
        let parameters = node.genericParameterClause?.parameters.map(\.name.plainName) ?? []
        let name = node.name.plainName
        declare(
            name, form, node.modifiers, inheritance: node.inheritanceClause, parameters: parameters,
            firstCase: firstCase(in: node.memberBlock), objectiveCName: node.attributes.objectiveCName,
            hasObjectiveCMembers: node.attributes.contains("objcMembers"),
            plainInitializer: .init(of: node.memberBlock))
        enter(
            .type(form, name: name, access: scope.access(of: node.modifiers), parameters: parameters),
            isIsolated: node.attributes.containGlobalActor || node.is(ActorDeclSyntax.self))
        return .visitChildren
    }

    private func declare(
        _ name: String, _ form: DeclaredType.Form, _ modifiers: DeclModifierListSyntax,
        inheritance: InheritanceClauseSyntax?, parameters: [String], firstCase: String? = nil,
        objectiveCName: String? = nil, hasObjectiveCMembers: Bool = false,
        plainInitializer: DeclaredType.PlainInitializer = .none
    ) {
        guard !scope.isLocal else { return }
        file.types.append(
            DeclaredType(
                name: name, form: form, access: scope.access(of: modifiers), parameters: parameters,
                inherited: inheritance?.inheritedTypes.map(\.type) ?? [], firstCase: firstCase,
                objectiveCName: objectiveCName, hasObjectiveCMembers: hasObjectiveCMembers,
                plainInitializer: plainInitializer, scope: scope))
    }

    private func firstCase(in block: MemberBlockSyntax) -> String? {
        for member in block.members {
            guard let element = member.decl.as(EnumCaseDeclSyntax.self)?.elements.first else { continue }
            return element.parameterClause == nil ? element.name.text : nil
        }
        return nil
    }

    // MARK: - Members

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.attributes.containManaged else {
            addComplete(node)
            if let method = ObjectiveCMethod(node, in: scope) { file.methods.append(method) }
            return .visitChildren
        }
        // `var a, b: String` gives the type with the last name of the list.
        var pending: [PatternBindingSyntax] = []
        for binding in node.bindings {
            pending.append(binding)
            guard let type = binding.typeAnnotation?.type else { continue }
            for binding in pending {
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { continue }
                add(name, .property(type: type), node.modifiers, objectiveCName: node.objectiveCKey)
            }
            pending = []
        }
        for binding in pending { report("an @NSManaged property needs a type", at: binding) }
        return .skipChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.attributes.containManaged else {
            addValidator(node)
            if let method = ObjectiveCMethod(node, in: scope) { file.methods.append(method) }
            return enterLocalScope()
        }
        let effects = node.signature.effectSpecifiers
        guard node.genericParameterClause == nil, effects?.asyncSpecifier == nil, effects?.throwsClause == nil else {
            report("an @NSManaged method can't be generic, async or throwing: write its body", at: node)
            return .skipChildren
        }
        let parameters = node.signature.parameterClause.parameters.map { parameter in
            ManagedDeclaration.Parameter(
                label: parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.plainName,
                type: parameter.type)
        }
        let form = ManagedDeclaration.Form.method(
            parameters: parameters, result: node.signature.returnClause?.type)
        add(node.name, form, node.modifiers)
        return .skipChildren
    }

    private func addComplete(_ node: VariableDeclSyntax) {
        let isOfType = node.modifiers.contains { ["static", "class"].contains($0.name.text) }
        guard !scope.isLocal, !isOfType else { return }
        let isObjectiveC =
            node.attributes.contains("objc") || node.attributes.contains("IBInspectable") || scope.hasObjectiveCMembers
        let isPlain =
            !scope.isIsolated && !node.attributes.containGlobalActor && !node.attributes.contains("available")
            && !node.attributes.contains("nonobjc")
        for binding in node.bindings {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName else { continue }
            file.complete.append(
                CompleteProperty(
                    name: name, scope: scope, access: scope.access(of: node.modifiers), isObjectiveC: isObjectiveC,
                    hasKeyPath: isPlain && !binding.hasEffects))
        }
    }

    /// Notes a method of Objective-C's form for checking a value: "func validateName(_: Pointer<AnyObject?>) throws".
    private func addValidator(_ node: FunctionDeclSyntax) {
        let name = node.name.plainName
        let parameters = node.signature.parameterClause.parameters
        guard !scope.isLocal, !scope.isIsolated, !node.attributes.containGlobalActor, name.hasPrefix("validate"),
            name.count > "validate".count, parameters.count == 1, let parameter = parameters.first,
            parameter.firstName.tokenKind == .wildcard, node.signature.effectSpecifiers?.throwsClause != nil,
            node.signature.effectSpecifiers?.asyncSpecifier == nil, node.genericParameterClause == nil,
            parameter.type.trimmedDescription.hasPrefix("AutoreleasingUnsafeMutablePointer<"),
            !node.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
        else { return }
        file.validators.append(
            ValidatorMethod(name: name, scope: scope, access: scope.access(of: node.modifiers)))
    }

    private func add(
        _ name: TokenSyntax, _ form: ManagedDeclaration.Form, _ modifiers: DeclModifierListSyntax,
        objectiveCName: String? = nil
    ) {
        let place = name.startLocation(converter: converter)
        guard !scope.isLocal else {
            // Those that are only for Apple's platforms have been ported already.
            guard !scope.conditions.contains("(canImport(ObjectiveC))") else { return }
            report(
                """
                no body can be made for an @NSManaged property of a class inside of a function: move the class out of it, or \
                let "coredata swift" or "coredata port" write the body
                """, at: name, .warning)
            return
        }
        file.managed.append(
            ManagedDeclaration(
                name: name.plainName, objectiveCName: objectiveCName, form: form, access: scope.access(of: modifiers),
                scope: scope,
                line: place.line, column: place.column))
    }

    private func report(
        _ message: String, at node: some SyntaxProtocol, _ severity: CompilerDiagnostic.Severity = .error
    ) {
        let place = node.startLocation(converter: converter)
        file.diagnostics.append(
            CompilerDiagnostic(severity, message, file: file.path, line: place.line, column: place.column))
    }

    // MARK: - Local scopes

    private var localDepth = 0 {
        didSet { scope.isLocal = localDepth > 0 }
    }

    private func enterLocalScope() -> SyntaxVisitorContinueKind {
        localDepth += 1
        return .visitChildren
    }

    override func visitPost(_ node: FunctionDeclSyntax) {
        if !node.attributes.containManaged { localDepth -= 1 }
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { enterLocalScope() }
    override func visitPost(_ node: InitializerDeclSyntax) { localDepth -= 1 }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterLocalScope() }
    override func visitPost(_ node: AccessorBlockSyntax) { localDepth -= 1 }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterLocalScope() }
    override func visitPost(_ node: ClosureExprSyntax) { localDepth -= 1 }

    // MARK: - Conditions

    /// Declarations under `#if` keep its condition, and their bodies get the same one.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        var earlier: [String] = []
        for clause in node.clauses {
            let condition = clause.condition?.trimmedDescription
            let excluded = earlier.map { "!(\($0))" }
            let all = excluded + (condition.map { ["(\($0))"] } ?? [])
            scope.conditions.append(all.joined(separator: " && "))
            if let elements = clause.elements { walk(elements) }
            scope.conditions.removeLast()
            if let condition { earlier.append(condition) }
        }
        return .skipChildren
    }
}
