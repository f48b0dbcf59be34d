import Foundation

// Safe: nothing of it changes once it is made.
/// A conjunction, a disjunction or a negation of other predicates. (Apple: NSCompoundPredicate.)
///
/// A conjunction of nothing is true, a disjunction of nothing is false.
open class NSCompoundPredicate: NSPredicate, @unchecked Sendable {
    /// Raw values are Apple's: they are in archives.
    public enum LogicalType: UInt, Sendable {
        /// True where the only subpredicate is false.
        case not = 0
        /// True where all subpredicates are.
        case and = 1
        /// True where one of the subpredicates is.
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

    /// True where all of the predicates are; with none it is true.
    public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(type: .and, subpredicates: subpredicates)
    }

    /// True where one of the predicates is; with none it is false.
    public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(type: .or, subpredicates: subpredicates)
    }

    /// True where the predicate is false.
    public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
        self.init(type: .not, subpredicates: [predicate])
    }

    /// Whether the object meets the condition. What can't be told (an unknown key) stops the program.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        var scope = EvaluationScope(bindings: bindings)
        return answerOrStop { try combine(object, &scope) }
    }

    /// The compound with values in place of its variables; one of a class from elsewhere stays as it is.
    open override func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let substituted = NSCompoundPredicate(
            type: compoundPredicateType,
            subpredicates: subpredicates.map { $0.withSubstitutionVariables(variables) })
        // A subclass from elsewhere can't be copied with other predicates.
        return substituted as? Self ?? self
    }

    /// The predicate as a format string.
    open override var predicateFormat: String {
        FormatPrinter(constants: .described).text(ofCompound: self)
    }

    // MARK: Archiving

    /// Reads a predicate from an archive; nil where the archive is damaged.
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

    /// Writes it into an archive.
    open override func encode(with coder: NSCoder) {
        coder.encode(Int(compoundPredicateType.rawValue), forKey: "NSCompoundPredicateType")
        coder.encode(subpredicates as NSArray, forKey: "NSSubpredicates")
    }
}
