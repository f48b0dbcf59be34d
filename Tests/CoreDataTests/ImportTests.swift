import CoreData
import Foundation
import Testing
import XCTest

// Foundation on Linux has stubs of most of these names. What is written here is what client code writes, with all three
// imports in one file; that it compiles is most of the test.

private class Rule: NSPredicate, @unchecked Sendable {
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { object != nil }
}

private class LengthTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.count }
}

private class TagsTransformer: NSSecureUnarchiveFromDataTransformer {}

private class History: UndoManager {}

extension NSPredicate {
    fileprivate func isTrue(for object: Any?) -> Bool { evaluate(with: object) }
}

extension NSSortDescriptor {
    fileprivate var title: String { key ?? "" }
}

extension NSExpression {
    fileprivate var isKeyPath: Bool { expressionType == .keyPath }
}

private struct Query {
    var predicate: NSPredicate?
    var comparison: NSComparisonPredicate?
    var compound: NSCompoundPredicate?
    var expression: NSExpression
    var order: [NSSortDescriptor] = []
    var undo: UndoManager
    var transformer: ValueTransformer?
    var transformerName: NSValueTransformerName
    var options: NSComparisonPredicate.Options = [.caseInsensitive]
    var modifier: NSComparisonPredicate.Modifier = .any
    var kind: NSCompoundPredicate.LogicalType = .and
}

@Suite("Foundation's names mean ours in a file with all three imports")
struct ImportTests {
    private func and(_ left: NSPredicate, _ right: NSPredicate) -> NSCompoundPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [left, right])
    }

    @Test("In type position, as parameters, in extensions and as superclass")
    func names() throws {
        let predicate = NSPredicate(format: "name BEGINSWITH[c] %@ AND age > %d", "b", 3)
        let query = Query(
            predicate: predicate,
            comparison: NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: "Bo"),
                modifier: .direct, type: .equalTo, options: []),
            compound: and(predicate, Rule(value: true)), expression: NSExpression(forKeyPath: "name"),
            order: [NSSortDescriptor(key: "name", ascending: false)], undo: History(), transformer: LengthTransformer(),
            transformerName: NSValueTransformerName("Length"))
        let bo: [String: Any] = ["name": "Bo", "age": 5]
        #expect(query.predicate?.isTrue(for: bo) == true)
        #expect(query.compound?.isTrue(for: bo) == true)
        #expect(query.expression.isKeyPath)
        #expect(query.order.map(\.title) == ["name"])
        #expect(query.transformer?.transformedValue("four") as? Int == 4)
        #expect(query.undo.canUndo == false)
        let request: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: "Book")
        request.predicate = query.comparison
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        #expect(request.predicate?.predicateFormat == "name == \"Bo\"")
        ValueTransformer.setValueTransformer(TagsTransformer(), forName: NSValueTransformerName("ImportTests.Tags"))
        #expect(ValueTransformer(forName: NSValueTransformerName("ImportTests.Tags")) is TagsTransformer)
    }

    @Test("Arguments as clients pass them compile and mean what they mean on Apple's platforms")
    func arguments() {
        let (date, id) = (Date(timeIntervalSinceReferenceDate: 7), UUID())
        let object: [String: Any] = ["date": date, "id": id, "n": 4, "tags": ["a", "b"]]
        #expect(NSPredicate(format: "date == %@", date as CVarArg).evaluate(with: object))
        #expect(NSPredicate(format: "id == %@", id as CVarArg).evaluate(with: object))
        #expect(NSPredicate(format: "n == %@", 4 as NSNumber).evaluate(with: object))
        #expect(NSPredicate(format: "n IN %@", [1, 4]).evaluate(with: object))
        #expect(NSPredicate(format: "n IN %@", Set([1, 4])).evaluate(with: object))
        #expect(NSPredicate(format: "%K == %@", "missing", NSNull()).evaluate(with: object))
        let nothing: String? = nil
        #expect(NSPredicate(format: "missing == %@", nothing).evaluate(with: object))
    }

    @Test("XCTest's expectations take ours where they want Foundation's own")
    func expectation() {
        let ours = NSPredicate(format: "SELF == 3")
        let expectation = XCTNSPredicateExpectation(predicate: ours.foundationPredicate, object: NSNumber(value: 3))
        #expect(expectation.predicate.evaluate(with: NSNumber(value: 3)))
    }

    @Test(
        "An object stands for its description in a text's format, as on Apple's platforms, and for itself in a predicate's"
    )
    func objectsInFormats() {
        let store = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a.sqlite"))
        let error = NSError(domain: "Club", code: 3)
        #expect(String(format: "%@, %d", store, 4) == "\(store.description), 4")
        #expect(String(format: "%@", error) == error.description)
        let plain = String(format: "%@ %@ %@", NSNumber(value: 3), "x" as NSString, NSNull())
        #expect(plain == "3 x <null>")
        NSLog("an error as programs log it: %@", error)
        let row: NSDictionary = ["n": NSNumber(value: 3)]
        #expect(NSPredicate(format: "n == %@", NSNumber(value: 3)).evaluate(with: row))
    }
}
