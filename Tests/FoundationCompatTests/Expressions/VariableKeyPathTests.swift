import Foundation
import FoundationCompat
import Testing

@Suite("A key path that begins with a variable")
struct VariableKeyPathTests {
    @Test("is of the variable's value, also in a subquery that is made of parts")
    func subqueries() {
        let words = ["words": ["Sue", "Ann", "Sam"]] as NSDictionary
        let begins = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "$x.description"),
            rightExpression: NSExpression(forConstantValue: "S"),
            modifier: .direct, type: .beginsWith)
        let found = NSExpression(
            forSubquery: NSExpression(forKeyPath: "words"), usingIteratorVariable: "x", predicate: begins)
        #expect((found.expressionValue(with: words, context: nil) as? [Any])?.count == 2)
        #expect(NSExpression(forKeyPath: "$x").expressionType == .variable)
        #expect(NSExpression(forKeyPath: "$x.name").description == NSExpression(format: "$x.name").description)
        #expect(NSExpression(forKeyPath: "$").expressionType == .keyPath)
    }
}
