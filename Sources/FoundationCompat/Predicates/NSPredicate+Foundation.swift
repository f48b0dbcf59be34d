import Foundation

extension NSPredicate {
    /// This predicate as one of Foundation's own class, for API of Linux Foundation and XCTest that wants that
    /// (`XCTNSPredicateExpectation`).
    public var foundationPredicate: Foundation.NSPredicate {
        Foundation.NSPredicate { object, bindings in
            self.evaluate(with: object, substitutionVariables: bindings)
        }
    }
}

extension Foundation.NSPredicate {
    /// The predicate itself, so that what is written for either class compiles for both.
    public var foundationPredicate: Foundation.NSPredicate { self }
}
