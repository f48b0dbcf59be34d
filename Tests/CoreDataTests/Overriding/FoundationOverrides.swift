import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSComparisonPredicateDouble: NSComparisonPredicate, @unchecked Sendable {
    override var comparisonPredicateModifier: NSComparisonPredicate.Modifier { super.comparisonPredicateModifier }
    override var customSelector: Selector? { super.customSelector }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        super.evaluate(with: object, substitutionVariables: bindings)
    }
    override var leftExpression: NSExpression { super.leftExpression }
    override var options: NSComparisonPredicate.Options { super.options }
    override var predicateFormat: String { super.predicateFormat }
    override var predicateOperatorType: NSComparisonPredicate.Operator { super.predicateOperatorType }
    override var rightExpression: NSExpression { super.rightExpression }
    override func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        super.withSubstitutionVariables(variables)
    }
}

private final class NSCompoundPredicateDouble: NSCompoundPredicate, @unchecked Sendable {
    override var compoundPredicateType: NSCompoundPredicate.LogicalType { super.compoundPredicateType }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        super.evaluate(with: object, substitutionVariables: bindings)
    }
    override var predicateFormat: String { super.predicateFormat }
    override var subpredicates: [NSPredicate] { super.subpredicates }
    override func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        super.withSubstitutionVariables(variables)
    }
}

private final class NSExceptionDouble: NSException, @unchecked Sendable {
    override func raise() {
        super.raise()
    }
}

private final class NSExpressionDouble: NSExpression, @unchecked Sendable {
    override func allowEvaluation() {
        super.allowEvaluation()
    }
    override var arguments: [NSExpression]? { super.arguments }
    override var collection: Any { super.collection }
    override var constantValue: Any? { super.constantValue }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any { super.expressionBlock }
    override class func expressionForAnyKey() -> NSExpression {
        super.expressionForAnyKey()
    }
    override class func expressionForEvaluatedObject() -> NSExpression {
        super.expressionForEvaluatedObject()
    }
    override var expressionType: NSExpression.ExpressionType { super.expressionType }
    override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        super.expressionValue(with: object, context: context)
    }
    override var `false`: NSExpression { super.false }
    override var function: String { super.function }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var keyPath: String { super.keyPath }
    override var left: NSExpression { super.left }
    override var operand: NSExpression { super.operand }
    override var predicate: NSPredicate { super.predicate }
    override var right: NSExpression { super.right }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
    override var `true`: NSExpression { super.true }
    override var variable: String { super.variable }
}

private final class NSPredicateDouble: NSPredicate, @unchecked Sendable {
    override func allowEvaluation() {
        super.allowEvaluation()
    }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override func evaluate(with object: Any?) -> Bool {
        super.evaluate(with: object)
    }
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        super.evaluate(with: object, substitutionVariables: bindings)
    }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var predicateFormat: String { super.predicateFormat }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
    override func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        super.withSubstitutionVariables(variables)
    }
}

private final class NSSecureUnarchiveFromDataTransformerDouble: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        super.reverseTransformedValue(value)
    }
    override func transformedValue(_ value: Any?) -> Any? {
        super.transformedValue(value)
    }
}

private final class NSSortDescriptorDouble: NSSortDescriptor, @unchecked Sendable {
    override func allowEvaluation() {
        super.allowEvaluation()
    }
    override var ascending: Bool { super.ascending }
    override var comparator: Comparator { super.comparator }
    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        super.compare(object1, to: object2)
    }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var key: String? { super.key }
    override var keyPath: AnyKeyPath? { super.keyPath }
    override var reversedSortDescriptor: Any { super.reversedSortDescriptor }
    override var selector: Selector? { super.selector }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
}

private final class UndoManagerDouble: UndoManager {
    override func beginUndoGrouping() {
        super.beginUndoGrouping()
    }
    override var canRedo: Bool { super.canRedo }
    override var canUndo: Bool { super.canUndo }
    override func disableUndoRegistration() {
        super.disableUndoRegistration()
    }
    override func enableUndoRegistration() {
        super.enableUndoRegistration()
    }
    override func endUndoGrouping() {
        super.endUndoGrouping()
    }
    override var groupingLevel: Int { super.groupingLevel }
    override var groupsByEvent: Bool {
        get { super.groupsByEvent }
        set { super.groupsByEvent = newValue }
    }
    override var isRedoing: Bool { super.isRedoing }
    override var isUndoRegistrationEnabled: Bool { super.isUndoRegistrationEnabled }
    override var isUndoing: Bool { super.isUndoing }
    override var levelsOfUndo: Int {
        get { super.levelsOfUndo }
        set { super.levelsOfUndo = newValue }
    }
    override func redo() {
        super.redo()
    }
    override var redoActionIsDiscardable: Bool { super.redoActionIsDiscardable }
    override var redoActionName: String { super.redoActionName }
    override func redoActionUserInfoValue(forKey key: UndoManager.UserInfoKey) -> Any? {
        super.redoActionUserInfoValue(forKey: key)
    }
    override var redoCount: Int { super.redoCount }
    override var redoMenuItemTitle: String { super.redoMenuItemTitle }
    override func redoMenuTitle(forUndoActionName actionName: String) -> String {
        super.redoMenuTitle(forUndoActionName: actionName)
    }
    override func removeAllActions() {
        super.removeAllActions()
    }
    override func removeAllActions(withTarget target: Any) {
        super.removeAllActions(withTarget: target)
    }
    override var runLoopModes: [RunLoop.Mode] {
        get { super.runLoopModes }
        set { super.runLoopModes = newValue }
    }
    override func setActionIsDiscardable(_ discardable: Bool) {
        super.setActionIsDiscardable(discardable)
    }
    override func setActionName(_ actionName: String) {
        super.setActionName(actionName)
    }
    override func setActionUserInfoValue(_ value: Any?, forKey key: UndoManager.UserInfoKey) {
        super.setActionUserInfoValue(value, forKey: key)
    }
    override func undo() {
        super.undo()
    }
    override var undoActionIsDiscardable: Bool { super.undoActionIsDiscardable }
    override var undoActionName: String { super.undoActionName }
    override func undoActionUserInfoValue(forKey key: UndoManager.UserInfoKey) -> Any? {
        super.undoActionUserInfoValue(forKey: key)
    }
    override var undoCount: Int { super.undoCount }
    override var undoMenuItemTitle: String { super.undoMenuItemTitle }
    override func undoMenuTitle(forUndoActionName actionName: String) -> String {
        super.undoMenuTitle(forUndoActionName: actionName)
    }
    override func undoNestedGroup() {
        super.undoNestedGroup()
    }
}

private final class ValueTransformerDouble: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool {
        super.allowsReverseTransformation()
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        super.reverseTransformedValue(value)
    }
    override class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        super.setValueTransformer(transformer, forName: name)
    }
    override func transformedValue(_ value: Any?) -> Any? {
        super.transformedValue(value)
    }
    override class func transformedValueClass() -> AnyClass {
        super.transformedValueClass()
    }
    override class func valueTransformerNames() -> [NSValueTransformerName] {
        super.valueTransformerNames()
    }
}
