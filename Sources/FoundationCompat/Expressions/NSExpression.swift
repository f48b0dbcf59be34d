import Foundation

// Safe: nothing of it changes once it is made.
/// A value that is computed from an object: a constant, a key path, a function of other expressions and so on.
///
/// Immutable, so safe to use from several threads at once, provided that what a block captures is.
/// Properties that don't apply to the kind of expression stop the program, where Apple raises an exception.
/// (Apple: NSExpression.)
open class NSExpression: NSObject, ExpressionFactory, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let form: ExpressionForm

    /// The kind of the expression, which says what properties apply.
    open private(set) var expressionType: ExpressionType

    package init(form: ExpressionForm) {
        self.form = form
        expressionType = form.expressionType
        super.init()
    }

    /// For subclasses, which override `expressionValue(with:context:)` and the properties that apply.
    public init(expressionType type: ExpressionType) {
        form = type == .evaluatedObject ? .evaluatedObject : type == .anyKey ? .anyKey : .subclass
        expressionType = type
        super.init()
    }

    // MARK: Making

    /// A constant. `nil` compares like a missing value.
    public convenience init(forConstantValue obj: Any?) {
        self.init(form: .constant(Optional.flattened(obj).map(withoutAnyHashables)))
    }

    /// The value of the variable of this name (without its `$`) at evaluation.
    public convenience init(forVariable string: String) {
        self.init(form: .variable(string))
    }

    /// The value at a key path of the evaluated object; where the path begins with `$name`, of that variable's value (seen in
    /// CoreDataQueryInterface, which names the variables of subqueries so).
    public convenience init(forKeyPath keyPath: String) {
        self.init(form: Self.form(of: ParsedKeyPath(keyPath)))
    }

    private static func form(of path: ParsedKeyPath) -> ExpressionForm {
        guard path.string.utf8.first == UInt8(ascii: "$"), let name = path.keys.first?.dropFirst(), !name.isEmpty else {
            return .keyPath(operand: nil, path)
        }
        let rest = Array(path.keys.dropFirst())
        guard !rest.isEmpty else { return .variable(String(name)) }
        return .keyPath(operand: NSExpression(forVariable: String(name)), ParsedKeyPath(keys: rest))
    }

    /// The value at a Swift key path, which has to have a registered name; without one the program stops.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(forKeyPath: KeyPathNames.required(keyPath))
    }

    /// A built-in function such as `sum:` or `add:to:` of the arguments, which are expressions.
    ///
    /// An unknown function stops the program, as does a wrong number of arguments.
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        if case .failure(let problem) = BuiltInFunction.named(name, argumentCount: parameters.count) {
            fatalError("NSExpression(forFunction:arguments:): \(problem.explanation)")
        }
        self.init(form: .function(operand: nil, name: name, arguments: parameters.map(NSExpression.from)))
    }

    /// The result of a method of the target's value; only methods of Foundation's
    /// value classes and of `SelectorPerforming` objects can be called on Linux.
    public convenience init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
        let arguments = (parameters ?? []).map(NSExpression.from)
        self.init(form: .method(of: target, name: name, arguments: arguments))
    }

    /// An array of the values of the given expressions.
    public convenience init(forAggregate subexpressions: [Any]) {
        self.init(form: .aggregate(subexpressions.map(NSExpression.from)))
    }

    /// The union of two collections.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(form: .setOperation(.union, left, right))
    }

    /// What two collections have in common.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(form: .setOperation(.intersect, left, right))
    }

    /// What the left collection has and the right one hasn't.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(form: .setOperation(.minus, left, right))
    }

    /// The elements of a collection for which the predicate is true when the variable stands for the element.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(form: .subquery(collection: expression, variable: variable, predicate: predicate))
    }

    /// The value of one of two expressions, as a predicate decides.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(form: .conditional(predicate, trueExpression, falseExpression))
    }

    /// What a block answers for the evaluated object, the arguments' values and the evaluation's context.
    public convenience init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        self.init(form: .block(block, arguments ?? []))
    }

    /// The evaluated object itself, `SELF`.
    open class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(form: .evaluatedObject)
    }

    /// Any key of a Spotlight item; it has no value outside Spotlight.
    open class func expressionForAnyKey() -> NSExpression {
        NSExpression(form: .anyKey)
    }

    private static func from(_ argument: Any) -> NSExpression {
        instance(argument, of: NSExpression.self) ?? NSExpression(forConstantValue: argument)
    }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    // MARK: Parts

    /// The constant of a constant expression.
    open var constantValue: Any? {
        guard case .constant(let value) = form else { notApplicable() }
        return value
    }

    /// The key path of a key path expression, without the operand.
    open var keyPath: String {
        guard case .keyPath(_, let path) = form else { notApplicable() }
        return path.string
    }

    /// The selector name of a function expression.
    open var function: String {
        switch form {
        case .function(_, let name, _): return name
        // Apple calls the longer one for every path from a variable (seen in the fixture V2toV3.cdm).
        case .keyPath(let operand, let path):
            return path.isSingleKey && operand == nil ? "valueForKey:" : "valueForKeyPath:"
        default: notApplicable()
        }
    }

    /// The name of a variable expression, without its `$`; also the iterator of a subquery.
    open var variable: String {
        switch form {
        case .variable(let name), .assignment(let name, _), .subquery(_, let name, _): return name
        default: notApplicable()
        }
    }

    /// What the function or key path of the expression is applied to.
    open var operand: NSExpression {
        switch form {
        case .function(let operand, _, _):
            return operand
                ?? NSExpression(forConstantValue: ExpressionForm.builtInOperandClassName)
        case .keyPath(let operand, _): return operand ?? NSExpression.expressionForEvaluatedObject()
        default: notApplicable()
        }
    }

    /// The arguments of a function or block expression.
    open var arguments: [NSExpression]? {
        switch form {
        case .function(_, _, let arguments), .block(_, let arguments): return arguments
        case .keyPath(_, let path): return [NSExpression(form: .keyPathSpecifier(path))]
        default: notApplicable()
        }
    }

    /// The expressions of an aggregate, the collection of a subquery, or the constant that holds a collection.
    open var collection: Any {
        switch form {
        case .aggregate(let expressions): return expressions
        case .subquery(let collection, _, _): return collection
        default: notApplicable()
        }
    }

    /// The predicate of a subquery or conditional.
    open var predicate: NSPredicate {
        switch form {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): return predicate
        default: notApplicable()
        }
    }

    /// The left side of a set operation.
    open var left: NSExpression {
        guard case .setOperation(_, let left, _) = form else { notApplicable() }
        return left
    }

    /// The right side of a set operation.
    open var right: NSExpression {
        guard case .setOperation(_, _, let right) = form else { notApplicable() }
        return right
    }

    /// What a conditional answers where its predicate holds.
    open var `true`: NSExpression {
        guard case .conditional(_, let expression, _) = form else { notApplicable() }
        return expression
    }

    /// What a conditional answers where its predicate doesn't hold.
    open var `false`: NSExpression {
        guard case .conditional(_, _, let expression) = form else { notApplicable() }
        return expression
    }

    /// The block of a block expression.
    open var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
        guard case .block(let block, _) = form else { notApplicable() }
        return block
    }

    // MARK: Evaluating

    /// The value for an object. The context's entries are the values of the variables.
    ///
    /// What has no value (a missing variable, an unknown key) stops the program, where Apple raises an exception.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        if case .subclass = form {
            fatalError("\(type(of: self)) must override expressionValue(with:context:)")
        }
        var scope = EvaluationScope(bindings: context as? [String: Any], context: context)
        return orStop { try value(for: object, &scope) }
    }

    /// Does nothing: what is decoded here holds nothing that evaluation could misuse.
    open func allowEvaluation() {}

    // MARK: Archiving

    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool {
        ArchivedClasses.register()
        return true
    }

    /// Reads an archived expression of any kind but blocks.
    public required init?(coder: NSCoder) {
        ArchivedClasses.register()
        guard let form = ExpressionForm(coder: coder) else { return nil }
        self.form = form
        expressionType = form.expressionType
        super.init()
    }

    /// Writes the expression under Apple's keys. A block stops the program, as Apple's raises.
    ///
    /// Foundation's archiver on Linux writes this module's class names, whatever it is told.
    open func encode(with coder: NSCoder) {
        form.encode(with: coder, self)
    }

    // MARK: Comparing

    /// The expression in the form of predicates.
    open override var description: String {
        FormatPrinter(constants: .described).text(of: self)
    }

    /// Whether the other one is an expression of the same structure. A constant array equals an aggregate of the
    /// same constants: they print the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = instance(object, of: NSExpression.self) else { return false }
        return StructuralEquality.areEqual(self, other)
    }

    /// A hash that equal objects share.
    open override var hash: Int {
        var hasher = Hasher()
        StructuralEquality.hash(self, into: &hasher)
        return hasher.finalize()
    }

    private func notApplicable(_ property: String = #function) -> Never {
        fatalError("\(property) is not defined for an expression of type \(expressionType): \(self)")
    }
}
