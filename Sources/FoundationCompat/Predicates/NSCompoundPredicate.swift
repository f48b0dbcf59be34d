import Foundation

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

    public let compoundPredicateType: LogicalType
    /// The operands, in order.
    public let subpredicates: [NSPredicate]

    /// A compound of the given kind; `.not` takes exactly one predicate.
    public init(type: LogicalType, subpredicates: [NSPredicate]) {
        compoundPredicateType = type
        self.subpredicates = subpredicates
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
}
