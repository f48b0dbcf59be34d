import Foundation

/// The keys of archived expressions. (Seen in the fixtures V2toV3.cdm and Photos.sqlite; those of aggregates,
/// subqueries, set operations and conditionals by analogy.)
extension ExpressionForm {
    init?(coder: NSCoder) {
        let rawType = UInt(exactly: coder.decodeInteger(forKey: "NSExpressionType"))
        guard let type = rawType.flatMap(NSExpression.ExpressionType.init),
            let form = ExpressionForm.form(type, coder)
        else { return nil }
        self = form
    }

    private static func form(_ type: NSExpression.ExpressionType, _ coder: NSCoder) -> ExpressionForm? {
        switch type {
        case .constantValue: return .constant(constant(coder))
        case .evaluatedObject: return .evaluatedObject
        case .anyKey: return .anyKey
        case .variable: return string(coder, "NSVariable").map(ExpressionForm.variable)
        case .keyPathSpecifier: return string(coder, "NSKeyPath").map { .keyPathSpecifier(ParsedKeyPath($0)) }
        case .keyPath, .function: return function(coder)
        case .aggregate: return expressions(coder, "NSCollection").map(ExpressionForm.aggregate)
        case .unionSet: return setOperation(.union, coder)
        case .intersectSet: return setOperation(.intersect, coder)
        case .minusSet: return setOperation(.minus, coder)
        case .subquery:
            guard let collection = expression(coder, "NSCollection"), let variable = string(coder, "NSVariable"),
                let predicate = coder.decodeObject(of: NSPredicate.self, forKey: "NSPredicate")
            else { return nil }
            return .subquery(collection: collection, variable: variable, predicate: predicate)
        case .conditional:
            guard let predicate = coder.decodeObject(of: NSPredicate.self, forKey: "NSPredicate"),
                let first = expression(coder, "NSTrueExpression"), let second = expression(coder, "NSFalseExpression")
            else { return nil }
            return .conditional(predicate, first, second)
        case .symbolic: return string(coder, "NSToken").flatMap(Symbol.init).map(ExpressionForm.symbol)
        case .assignment:
            guard let variable = string(coder, "NSVariable"), let value = expression(coder, "NSSubexpression")
            else { return nil }
            return .assignment(variable: variable, value)
        case .block, .fetchRequest: return nil
        }
    }

    /// Nil where there is none: asking for it would be an error of the whole archive.
    private static func string(_ coder: NSCoder, _ key: String) -> String? {
        guard coder.containsValue(forKey: key) else { return nil }
        return coder.decodeObject(of: NSString.self, forKey: key) as String?
    }

    private static func expression(_ coder: NSCoder, _ key: String) -> NSExpression? {
        coder.decodeObject(of: NSExpression.self, forKey: key)
    }

    private static func expressions(_ coder: NSCoder, _ key: String) -> [NSExpression]? {
        coder.decodeObject(of: [NSArray.self, NSExpression.self], forKey: key) as? [NSExpression]
    }

    private static func constant(_ coder: NSCoder) -> Any? {
        if coder.containsValue(forKey: "NSConstantValueClassName") {
            // "$null" is also how an archive spells nil.
            let className = string(coder, "NSConstantValueClassName")
            return className == "$null" ? nil : className
        }
        return coder.decodeObject(of: ArchivedClasses.constantClasses, forKey: "NSConstantValue")
    }

    private static func setOperation(_ operation: SetOperation, _ coder: NSCoder) -> ExpressionForm? {
        guard let left = expression(coder, "NSLeftExpression"), let right = expression(coder, "NSRightExpression")
        else { return nil }
        return .setOperation(operation, left, right)
    }

    /// A key path is a call of `valueForKeyPath:`, a built-in function one of a method of `_NSPredicateUtilities`.
    private static func function(_ coder: NSCoder) -> ExpressionForm? {
        guard let operand = expression(coder, "NSOperand"), let name = string(coder, "NSSelectorName"),
            let arguments = expressions(coder, "NSArguments")
        else { return nil }
        guard case .constant(let value) = operand.form, value as? String == builtInOperandClassName else {
            return .method(of: operand, name: name, arguments: arguments)
        }
        guard case .success = BuiltInFunction.named(name, argumentCount: arguments.count) else { return nil }
        return .function(operand: nil, name: name, arguments: arguments)
    }

    /// The class whose methods Apple's built-in functions are.
    package static let builtInOperandClassName = "_NSPredicateUtilities"

    func encode(with coder: NSCoder, _ expression: NSExpression) {
        if case .constant(let value?) = self, ValueIdentity.isDecimal(value), let number = NumericValue(value) {
            // Foundation's archiver on Linux asks for a hash, which never ends for decimals.
            let arguments = [number.decimalValue.description, CastTarget.decimal.rawValue].map {
                NSExpression(forConstantValue: $0)
            }
            return NSExpression(
                form: .function(operand: nil, name: BuiltInFunction.cast.rawValue, arguments: arguments)
            )
            .encode(with: coder)
        }
        coder.encode(Int(expression.expressionType.rawValue), forKey: "NSExpressionType")
        switch self {
        case .constant(nil): coder.encode("$null" as NSString, forKey: "NSConstantValueClassName")
        case .constant(let value?): coder.encode(Self.archivable(value), forKey: "NSConstantValue")
        case .evaluatedObject, .anyKey: break
        case .variable(let name): coder.encode(name as NSString, forKey: "NSVariable")
        case .keyPathSpecifier(let path): coder.encode(path.string as NSString, forKey: "NSKeyPath")
        case .keyPath, .function:
            coder.encode(expression.operand, forKey: "NSOperand")
            coder.encode(expression.function as NSString, forKey: "NSSelectorName")
            coder.encode((expression.arguments ?? []) as NSArray, forKey: "NSArguments")
        case .aggregate(let expressions): coder.encode(expressions as NSArray, forKey: "NSCollection")
        case .setOperation(_, let left, let right):
            coder.encode(left, forKey: "NSLeftExpression")
            coder.encode(right, forKey: "NSRightExpression")
        case .subquery(let collection, let variable, let predicate):
            coder.encode(collection, forKey: "NSCollection")
            coder.encode(variable as NSString, forKey: "NSVariable")
            coder.encode(predicate, forKey: "NSPredicate")
        case .conditional(let predicate, let first, let second):
            coder.encode(predicate, forKey: "NSPredicate")
            coder.encode(first, forKey: "NSTrueExpression")
            coder.encode(second, forKey: "NSFalseExpression")
        case .symbol(let symbol): coder.encode(symbol.rawValue as NSString, forKey: "NSToken")
        case .assignment(let variable, let value):
            coder.encode(variable as NSString, forKey: "NSVariable")
            coder.encode(value, forKey: "NSSubexpression")
        case .block: fatalError("NSBlockExpression can't be archived: a block has no archived form")
        case .subclass: fatalError("\(Swift.type(of: expression)) must override encode(with:)")
        }
    }

    /// Swift's value types as the objects that an archive holds.
    private static func archivable(_ value: Any) -> Any {
        switch EvaluatedValue(value) {
        case .number(let number): return value as? NSNumber ?? number.number
        case .string(let text): return text as NSString
        case .date(let seconds): return NSDate(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): return data as NSData
        case .uuid(let uuid): return uuid as NSUUID
        case .object(let object): return (object as? URL).map { $0 as NSURL } ?? object
        case .collection(let collection): return archivableCollection(collection)
        case .null: return NSNull()
        }
    }

    private static func archivableCollection(_ collection: Any) -> Any {
        if let dictionary = collection as? NSDictionary { return dictionary }
        guard let elements = Elements(collection) else { return NSNull() }
        let values = elements.values.map(archivable)
        switch elements.kind {
        case .array, .dictionary: return NSArray(array: values)
        case .set: return NSSet(array: values)
        case .orderedSet: return NSOrderedSet(array: values)
        }
    }
}
