import Foundation

/// The operator of an archived comparison, which Apple keeps in an object of its own.
/// (Keys seen in the model cache of the fixture Photos.sqlite.)
final class ArchivedOperator: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let type: NSComparisonPredicate.Operator
    let modifier: NSComparisonPredicate.Modifier
    let options: NSComparisonPredicate.Options
    let selector: Selector?

    init(_ predicate: NSComparisonPredicate) {
        type = predicate.predicateOperatorType
        modifier = predicate.comparisonPredicateModifier
        options = predicate.options
        selector = predicate.customSelector
        super.init()
    }

    required init?(coder: NSCoder) {
        guard
            let type = UInt(exactly: coder.decodeInteger(forKey: "NSOperatorType"))
                .flatMap(NSComparisonPredicate.Operator.init),
            let modifier = UInt(exactly: coder.decodeInteger(forKey: "NSModifier"))
                .flatMap(NSComparisonPredicate.Modifier.init)
        else { return nil }
        self.type = type
        self.modifier = modifier
        // The string operators call their options flags.
        let key = coder.containsValue(forKey: "NSFlags") ? "NSFlags" : "NSOptions"
        options = NSComparisonPredicate.Options(rawValue: UInt(truncatingIfNeeded: coder.decodeInteger(forKey: key)))
        // Asking for what isn't there would be an error of the whole archive.
        selector =
            coder.containsValue(forKey: "NSSelectorName")
            ? (coder.decodeObject(of: NSString.self, forKey: "NSSelectorName") as String?).map { Selector($0) } : nil
        guard type != .customSelector || selector != nil else { return nil }
        super.init()
    }

    func encode(with coder: NSCoder) {
        coder.encode(Int(type.rawValue), forKey: "NSOperatorType")
        coder.encode(Int(modifier.rawValue), forKey: "NSModifier")
        switch type {
        case .equalTo, .notEqualTo:
            coder.encode(type == .notEqualTo, forKey: "NSNegate")
            coder.encode(Int(options.rawValue), forKey: "NSOptions")
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            coder.encode(Int(type.rawValue), forKey: "NSVariant")
            coder.encode(Int(options.rawValue), forKey: "NSOptions")
        default:
            coder.encode(Int(options.rawValue), forKey: "NSFlags")
        }
        if let selector {
            coder.encode(selector.description as NSString, forKey: "NSSelectorName")
        }
    }
}
