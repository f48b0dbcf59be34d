import SwiftParser
import SwiftSyntax

/// Finds what XCTest on Linux has no way for, and writes what every platform takes:
///
/// - test methods of the main actor, by themselves or by their class, whose type XCTest on Linux can't cast to that of its tests, so
///   that no test of the program runs, and what comes before and after a test, which can't be of another actor than what it
///   overrides: the body enters the actor, on whose thread tests run;
/// - `wait(for:)` and `fulfillment(of:)` without a timeout, which has no default there.
final class TestForms: SyntaxVisitor {
    /// Apple's default is to wait without end; XCTest on Linux computes a date of it.
    private static let longestWait = "3_600"
    private static let waits = ["wait": "for", "fulfillment": "of"]

    private let surroundings: PortingSurroundings
    private var edits: [SourceEdit] = []
    /// For each type around what is being visited, whether the main actor has it and it has tests.
    private var types: [(isOnMainActor: Bool, hasTests: Bool)] = []
    /// The classes of tests of this source that the main actor has, for their extensions.
    private var mainActorClasses: Set<String> = []
    private var testClasses: Set<String> = []

    static func rewrite(in text: String, surroundings: PortingSurroundings) -> String {
        guard text.contains("XCTest"), text.contains("@MainActor") || waits.keys.contains(where: text.contains) else {
            return text
        }
        let forms = TestForms(surroundings)
        forms.walk(Parser.parse(source: text))
        return forms.edits.isEmpty ? text : SourceEdit.apply(forms.edits, to: Array(text.utf8))
    }

    private init(_ surroundings: PortingSurroundings) {
        self.surroundings = surroundings
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for elements in node.clausesOnLinux(surroundings) { walk(elements) }
        return .skipChildren
    }

    // MARK: Types

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        // A class of tests may have another one's class in between.
        let hasTests = node.inheritanceClause != nil
        let isOnMainActor = node.attributes.mainActor != nil
        if hasTests { testClasses.insert(node.name.text) }
        if isOnMainActor { mainActorClasses.insert(node.name.text) }
        types.append((isOnMainActor, hasTests))
        return .visitChildren
    }
    override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.extendedType.trimmedDescription
        let isOnMainActor = mainActorClasses.contains(name) || node.attributes.mainActor != nil
        types.append((isOnMainActor, testClasses.contains(name)))
        return .visitChildren
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enterOther() }
    override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enterOther() }
    override func visitPost(_ node: EnumDeclSyntax) { types.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enterOther() }
    override func visitPost(_ node: ActorDeclSyntax) { types.removeLast() }

    private func enterOther() -> SyntaxVisitorContinueKind {
        types.append((false, false))
        return .visitChildren
    }

    // MARK: Tests

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let type = types.last, type.hasTests, node.parent?.is(MemberBlockItemSyntax.self) == true,
            let body = node.body, node.isTest || node.isAroundTests
        else { return .visitChildren }
        let own = node.attributes.mainActor
        guard type.isOnMainActor || own != nil else { return .visitChildren }
        if let own {
            edits.append(SourceEdit(own.trimmedStart..<own.trimmedEnd, "nonisolated"))
        } else {
            edits.append(SourceEdit(insert: "nonisolated ", at: node.funcKeyword.trimmedStart))
        }
        let name = node.name.text
        let throwing = node.signature.effectSpecifiers?.throwsClause.map { "\($0.trimmedDescription) " } ?? ""
        // A function, as a closure with `try` inside of what an assertion takes is inferred to throw.
        edits.append(SourceEdit(insert: " @MainActor func \(name)() \(throwing){", at: body.leftBrace.trimmedEnd))
        let call = "\(throwing.isEmpty ? "" : "try ")MainActor.assumeIsolated(\(name))"
        edits.append(SourceEdit(insert: "}; \(call) ", at: body.rightBrace.trimmedStart))
        return .visitChildren
    }

    // MARK: Waits

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called =
            node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
            ?? node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        let labels = node.arguments.map { $0.label?.text }
        if let called, let first = Self.waits[called], labels.first == first, !labels.contains("timeout"),
            Set(labels.dropFirst()).isSubset(of: ["enforceOrder"]), let list = node.arguments.first?.expression
        {
            edits.append(SourceEdit(insert: ", timeout: \(Self.longestWait)", at: list.trimmedEnd))
        }
        return .visitChildren
    }
}

extension AttributeListSyntax {
    fileprivate var mainActor: AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.attributeName.trimmedDescription == "MainActor" }
    }
}

extension FunctionDeclSyntax {
    /// Whether the method is an override of one that XCTest calls before or after each test.
    fileprivate var isAroundTests: Bool {
        ["setUp", "setUpWithError", "tearDown", "tearDownWithError"].contains(name.text)
            && signature.parameterClause.parameters.isEmpty && signature.effectSpecifiers?.asyncSpecifier == nil
            && modifiers.contains { $0.name.text == "override" }
            && !modifiers.contains { ["nonisolated", "class", "static"].contains($0.name.text) }
    }

    /// Whether XCTest takes the method for a test and calls it without waiting for something asynchronous.
    fileprivate var isTest: Bool {
        name.text.hasPrefix("test") && signature.parameterClause.parameters.isEmpty && signature.returnClause == nil
            && signature.effectSpecifiers?.asyncSpecifier == nil
            && !modifiers.contains { ["nonisolated", "static", "class", "private", "override"].contains($0.name.text) }
    }
}
