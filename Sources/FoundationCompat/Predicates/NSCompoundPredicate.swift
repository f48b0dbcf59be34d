import Foundation

// Safe: nothing of it changes once it is made.
/// A conjunction, a disjunction or a negation of other predicates. (Apple: NSCompoundPredicate.)
///
/// A conjunction of nothing is true, a disjunction of nothing is false.
open class NSCompoundPredicate: NSPredicate, @unchecked Sendable {
    /// Raw values are Apple's: they are in archives.
    public enum LogicalType: UInt, Sendable {
        case not = 0
        case and = 1
        case or = 2
    }

    /// How the operands are combined.
    open var compoundPredicateType: LogicalType { storedType }
    /// The operands, in order.
    open var subpredicates: [NSPredicate] { storedSubpredicates }
    // Evaluation goes by these, for every object: they don't have to be looked up.
    final let storedType: LogicalType
    final let storedSubpredicates: [NSPredicate]

    /// A compound of the given kind; `.not` takes exactly one predicate.
    public init(type: LogicalType, subpredicates: [NSPredicate]) {
        guard type != .not || subpredicates.count == 1 else {
            fatalError("A NOT predicate takes exactly one subpredicate, not \(subpredicates.count)")
        }
        storedType = type
        storedSubpredicates = subpredicates
        super.init(form: .subclass)
    }

    public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(type: .and, subpredicates: subpredicates)
    }

    public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(type: .or, subpredicates: subpredicates)
    }

    public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
        self.init(type: .not, subpredicates: [predicate])
    }

    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        var scope = EvaluationScope(bindings: bindings)
        return answerOrStop { try combine(object, &scope) }
    }

    open override func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let substituted = NSCompoundPredicate(
            type: compoundPredicateType,
            subpredicates: subpredicates.map { $0.withSubstitutionVariables(variables) })
        // A subclass from elsewhere can't be copied with other predicates.
        return substituted as? Self ?? self
    }

    open override var predicateFormat: String {
        FormatPrinter.text(of: self)
    }

    // MARK: Archiving

    public required init?(coder: NSCoder) {
        ArchivedClasses.register()
        let classes: [AnyClass] = [NSArray.self, NSPredicate.self]
        guard
            let type = UInt(exactly: coder.decodeInteger(forKey: "NSCompoundPredicateType"))
                .flatMap(LogicalType.init),
            let predicates = coder.decodeObject(of: classes, forKey: "NSSubpredicates") as? [NSPredicate],
            type != .not || predicates.count == 1
        else { return nil }
        storedType = type
        storedSubpredicates = predicates
        super.init(form: .subclass)
    }

    open override func encode(with coder: NSCoder) {
        coder.encode(Int(compoundPredicateType.rawValue), forKey: "NSCompoundPredicateType")
        coder.encode(subpredicates as NSArray, forKey: "NSSubpredicates")
    }
}
