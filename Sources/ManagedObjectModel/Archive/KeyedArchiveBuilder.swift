import Foundation

/// Collects the objects of a keyed archive, in the layout of `NSKeyedArchiver`.
package final class KeyedArchiveBuilder {
    /// "No object".
    package static let null = PropertyListNode.uid(0)

    private var objects: [PropertyListNode] = [.string("$null")]
    private var classes: [String: PropertyListNode] = [:]
    /// By their bytes: Swift's equality ignores how a character is composed.
    private var strings: [[UInt8]: PropertyListNode] = [:]

    package init() {}

    /// Takes a number for an object whose fields are not known yet, so that cyclic graphs can be written.
    package func reserve() -> PropertyListNode {
        append(.string("$null"))
    }

    /// Gives an object that has a number its class and fields.
    package func fill(_ reference: PropertyListNode, className: String, fields: [String: PropertyListNode]) {
        guard case .uid(let index) = reference else { return }
        var fields = fields
        fields["$class"] = self.reference(toClass: className)
        objects[index] = .dictionary(fields)
    }

    /// Adds an object.
    package func add(className: String, fields: [String: PropertyListNode]) -> PropertyListNode {
        let reference = reserve()
        fill(reference, className: className, fields: fields)
        return reference
    }

    /// Adds a plain value. A string is written once.
    package func add(_ value: PropertyListNode) -> PropertyListNode {
        guard case .string(let text) = value else { return append(value) }
        let bytes = Array(text.utf8)
        if let known = strings[bytes] { return known }
        let reference = append(value)
        strings[bytes] = reference
        return reference
    }

    package func add(_ text: String?) -> PropertyListNode {
        text.map { add(PropertyListNode.string($0)) } ?? Self.null
    }

    package func addArray(_ members: [PropertyListNode], className: String = "NSArray") -> PropertyListNode {
        add(className: className, fields: ["NS.objects": .array(members)])
    }

    package func addDictionary(
        _ pairs: [(key: PropertyListNode, value: PropertyListNode)], className: String = "NSDictionary"
    ) -> PropertyListNode {
        add(
            className: className,
            fields: ["NS.keys": .array(pairs.map(\.key)), "NS.objects": .array(pairs.map(\.value))])
    }

    /// The finished archive, a binary property list.
    ///
    /// - Parameter rootKey: the name that the outermost object is found under.
    package func archive(root: PropertyListNode, rootKey: String = "root") -> Data {
        BinaryPropertyListWriter.write(
            .dictionary([
                "$archiver": .string("NSKeyedArchiver"),
                "$version": .integer(100_000),
                "$top": .dictionary([rootKey: root]),
                "$objects": .array(objects),
            ]))
    }

    private func append(_ node: PropertyListNode) -> PropertyListNode {
        objects.append(node)
        return .uid(objects.count - 1)
    }

    private func reference(toClass name: String) -> PropertyListNode {
        if let known = classes[name] { return known }
        let lineage = [name] + Self.ancestors(of: name)
        let reference = append(
            .dictionary(["$classname": .string(name), "$classes": .array(lineage.map(PropertyListNode.string))]))
        classes[name] = reference
        return reference
    }

    /// The superclasses that Apple's archives name for a class.
    private static func ancestors(of name: String) -> [String] {
        var result: [String] = []
        var current = name
        while let parent = superclasses[current] {
            result.append(parent)
            current = parent
        }
        return result + ["NSObject"]
    }

    private static let superclasses = [
        "NSMutableArray": "NSArray", "NSMutableDictionary": "NSDictionary", "NSMutableSet": "NSSet",
        "NSMutableString": "NSString", "NSDictionaryMapNode": "NSStoreMapNode",
        "NSDecimalNumberPlaceholder": "NSDecimalNumber", "NSDecimalNumber": "NSNumber", "NSNumber": "NSValue",
        "NSAttributeDescription": "NSPropertyDescription",
        "NSDerivedAttributeDescription": "NSAttributeDescription",
        "NSCompositeAttributeDescription": "NSAttributeDescription",
        "NSRelationshipDescription": "NSPropertyDescription",
        "NSFetchedPropertyDescription": "NSPropertyDescription",
        "NSExpressionDescription": "NSPropertyDescription",
        "NSFetchRequest": "NSPersistentStoreRequest",
        "NSComparisonPredicate": "NSPredicate", "NSCompoundPredicate": "NSPredicate",
        "NSTruePredicate": "NSPredicate", "NSFalsePredicate": "NSPredicate",
        "NSEqualityPredicateOperator": "NSPredicateOperator", "NSComparisonPredicateOperator": "NSPredicateOperator",
        "NSInPredicateOperator": "NSPredicateOperator", "NSBetweenPredicateOperator": "NSPredicateOperator",
        "NSCustomPredicateOperator": "NSPredicateOperator", "NSStringPredicateOperator": "NSPredicateOperator",
        "NSLikePredicateOperator": "NSStringPredicateOperator",
        "NSMatchingPredicateOperator": "NSStringPredicateOperator",
        "NSSubstringPredicateOperator": "NSStringPredicateOperator",
        "NSSelfExpression": "NSExpression", "NSConstantValueExpression": "NSExpression",
        "NSVariableExpression": "NSExpression", "NSKeyPathSpecifierExpression": "NSExpression",
        "NSFunctionExpression": "NSExpression", "NSKeyPathExpression": "NSFunctionExpression",
        "NSAggregateExpression": "NSExpression", "NSSetExpression": "NSExpression",
        "NSSubqueryExpression": "NSExpression", "NSTernaryExpression": "NSExpression",
        "NSFetchRequestExpression": "NSExpression",
    ]
}
