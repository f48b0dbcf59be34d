import ModelCompiler
import SwiftParser
import SwiftSyntax

/// The methods and properties that sources declare, as far as rewriting needs to know them.
struct DeclarationTable: Sendable {
    /// A method's parameters.
    struct Method: Sendable {
        /// The labels; nil for "_".
        let labels: [String?]
        /// The types as they are written.
        let types: [String]
        /// The name in `@objc(name:)`.
        let objectiveCName: String?
        var isThrowing = false

        /// The name that Objective-C knows the method by.
        func selector(named name: String) -> String {
            objectiveCName ?? SelectorName.exported(name, labels: labels)
        }
    }

    private var methods: [String: Method] = [:]
    private var superclasses: [String: String] = [:]
    /// The names of types that whole sources declare, and maybe more words.
    private(set) var types: Set<String> = []
    /// The methods that are optional in protocols, as names with their labels.
    private(set) var optionalMethods: Set<String> = []
    /// The names of methods of key-value observing that a class overrides.
    private var observing: [String: Set<String>] = [:]

    init() {}

    /// What a source declares.
    init(_ tree: SourceFileSyntax) {
        let reader = Reader(viewMode: .sourceAccurate)
        reader.walk(tree)
        methods = reader.methods
        superclasses = reader.superclasses
        observing = reader.observing
        optionalMethods = reader.optionalMethods
    }

    /// What a source declares that others may refer to; methods for one that has selectors alone.
    init(of text: String) {
        self.init()
        if text.contains("@objc") || text.contains("NSManaged") || text.contains("observeValue") {
            self = DeclarationTable(Parser.parse(source: text))
        }
        types = DeclaredNames.all(in: text)
    }

    mutating func add(_ other: DeclarationTable) {
        methods.merge(other.methods) { first, _ in first }
        superclasses.merge(other.superclasses) { first, _ in first }
        observing.merge(other.observing) { $0.union($1) }
        types.formUnion(other.types)
        optionalMethods.formUnion(other.optionalMethods)
    }

    /// How a method with these labels, nil for "_", is named in ``optionalMethods``.
    static func signature(_ name: String, _ labels: [String?]) -> String {
        "\(name)(\(labels.map { "\($0 ?? "_"):" }.joined()))"
    }

    /// A method of that name; nil where none is declared.
    func method(named name: String) -> Method? { methods[name] }

    /// Whether a class inherits a method of key-value observing from one that it can override it of on Linux, too: a managed
    /// object, or a class that has the method itself.
    func inheritsObserving(_ name: String, _ method: String) -> Bool {
        var seen: Set<String> = [name]
        var current = superclasses[name]
        while let name = current, seen.insert(name).inserted {
            if name == "NSManagedObject" || observing[name]?.contains(method) == true { return true }
            current = superclasses[name]
        }
        return false
    }

    private final class Reader: SyntaxVisitor {
        var methods: [String: Method] = [:]
        var superclasses: [String: String] = [:]
        var observing: [String: Set<String>] = [:]
        var optionalMethods: Set<String> = []

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
            if let first = node.inheritanceClause?.inheritedTypes.first?.type {
                superclasses[node.name.plain] =
                    first.as(IdentifierTypeSyntax.self)?.name.plain ?? first.as(MemberTypeSyntax.self)?.name.plain
            }
            let names = node.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self)?.name.plain }
                .filter { ObserverOverrides.protocols[$0] != nil }
            if !names.isEmpty { observing[node.name.plain] = Set(names) }
            return .visitChildren
        }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            let parameters = node.signature.parameterClause.parameters
            let method = Method(
                labels: parameters.map { $0.firstName.tokenKind == .wildcard ? nil : $0.firstName.plain },
                types: parameters.map(\.type.trimmedDescription), objectiveCName: Self.objectiveCName(node.attributes),
                isThrowing: node.signature.effectSpecifiers?.throwsClause != nil)
            methods[node.name.plain] = method
            if node.isOptionalRequirement {
                optionalMethods.insert(DeclarationTable.signature(node.name.plain, method.labels))
            }
            return .visitChildren
        }

        private static func objectiveCName(_ attributes: AttributeListSyntax) -> String? {
            for case .attribute(let attribute) in attributes where attribute.name == "objc" {
                return attribute.arguments?.trimmedDescription
            }
            return nil
        }
    }
}
