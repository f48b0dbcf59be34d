import Foundation

// Safe: nothing of it changes once it is made.
/// A logical condition over an object: a comparison, a compound of others, a constant or a block.
///
/// `NSPredicate(format:)` answers an `NSComparisonPredicate` or an `NSCompoundPredicate` where the format says
/// so, as on Apple's platforms: callers downcast it.
/// Immutable, so safe to use from several threads at once, provided that what a block captures is.
/// (Apple: NSPredicate; Predicate Format String Syntax.)
open class NSPredicate: NSObject, PredicateFactory, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// What a predicate is when no subclass says more.
    package enum Form {
        case value(Bool)
        case block((Any?, [String: Any]?) -> Bool)
        /// A subclass answers for itself.
        case subclass
    }

    package let form: Form

    package init(form: Form) {
        self.form = form
        super.init()
    }

    /// For subclasses, which override `evaluate(with:substitutionVariables:)`.
    public override init() {
        form = .subclass
        super.init()
    }

    /// A predicate that is always true or always false.
    public init(value: Bool) {
        form = .value(value)
        super.init()
    }

    /// A predicate that asks a block, which gets the object and the substitution variables.
    ///
    /// It can't be printed in a form that parses, nor archived, nor turned into SQL.
    public init(block: @escaping (Any?, [String: Any]?) -> Bool) {
        form = .block(block)
        super.init()
    }

    /// The predicate as a format string. It parses to an equal predicate where each constant has a literal; UUIDs, URLs, data and sets are
    /// printed by their descriptions, as Apple's are, and for a block it is a description only.
    open var predicateFormat: String {
        switch form {
        case .value(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .block: return "BLOCKPREDICATE"
        case .subclass: return "\(type(of: self))"
        }
    }

    /// Whether the object meets the condition.
    open func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    /// Whether the object meets the condition, where each `$NAME` stands for the value under `NAME`.
    open func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        switch form {
        case .value(let value): return value
        case .block(let block): return block(object, bindings)
        case .subclass: fatalError("\(type(of: self)) must override evaluate(with:substitutionVariables:)")
        }
    }

    /// A copy in which the variables that are named have become constants; others stay.
    open func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        self
    }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The format: ``predicateFormat``.
    open override var description: String {
        predicateFormat
    }

    /// Whether the other one is a predicate of the same structure.
    ///
    /// A compound of a single predicate equals that predicate, one of nothing equals TRUEPREDICATE or
    /// FALSEPREDICATE: they print the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return StructuralEquality.areEqual(self, other)
    }

    /// A hash that equal objects share.
    open override var hash: Int {
        var hasher = Hasher()
        StructuralEquality.hash(self, into: &hasher)
        return hasher.finalize()
    }

    /// Does nothing: what is decoded here holds nothing that evaluation could misuse.
    open func allowEvaluation() {}

    // MARK: Archiving

    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool {
        ArchivedClasses.register()
        return true
    }

    /// Reads an archived constant; its subclasses read themselves.
    public required init?(coder: NSCoder) {
        ArchivedClasses.register()
        guard coder.containsValue(forKey: Self.valueKey) else { return nil }
        form = .value(coder.decodeBool(forKey: Self.valueKey))
        super.init()
    }

    /// Writes the predicate under Apple's keys. A block stops the program, as Apple's raises.
    ///
    /// Foundation's archiver on Linux writes this module's class names, whatever it is told.
    open func encode(with coder: NSCoder) {
        guard case .value(let value) = form else {
            fatalError("\(type(of: self)) can't be archived: a block has no archived form")
        }
        coder.encode(value, forKey: Self.valueKey)
    }

    /// Not Apple's: there the class says which it is.
    private static let valueKey = "NSValue"
}
