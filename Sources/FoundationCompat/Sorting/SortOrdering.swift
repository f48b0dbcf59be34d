import Foundation

/// A value to sort by, out of its box.
struct SortValue {
    let value: Any?
    let evaluated: EvaluatedValue

    init(_ value: Any?) {
        self.value = value
        evaluated = EvaluatedValue(value)
    }
}

/// How a sort descriptor compares two values.
package enum SortOrdering {
    case compare
    case caseInsensitive
    case localized
    case localizedCaseInsensitive
    case localizedStandard
    case block(Comparator)
    /// A method that isn't known here.
    case unknown(Selector)

    package init(selector: Selector?) {
        switch selector?.description {
        case nil, "compare:": self = .compare
        case "caseInsensitiveCompare:": self = .caseInsensitive
        case "localizedCompare:": self = .localized
        case "localizedCaseInsensitiveCompare:": self = .localizedCaseInsensitive
        case "localizedStandardCompare:": self = .localizedStandard
        default: self = .unknown(selector!)
        }
    }

    /// The ascending order. A missing value comes first.
    func compare(_ left: SortValue, _ right: SortValue) -> ComparisonResult {
        switch (left.evaluated.isNull, right.evaluated.isNull) {
        case (true, true): return .orderedSame
        case (true, false): return .orderedAscending
        case (false, true): return .orderedDescending
        case (false, false): break
        }
        if case .block(let comparator) = self, let left = left.value, let right = right.value {
            return comparator(left, right)
        }
        guard case .string(let leftText) = left.evaluated, case .string(let rightText) = right.evaluated else {
            if case .unknown(let selector) = self { stop(selector) }
            return ValueComparison.order(left.evaluated, right.evaluated) ?? .orderedSame
        }
        return compare(leftText, rightText)
    }

    /// The ascending order of two strings.
    package func compare(_ left: String, _ right: String) -> ComparisonResult {
        switch self {
        case .compare, .block: return StringComparison.order(left, right, [])
        case .caseInsensitive: return StringComparison.order(left, right, .caseInsensitive)
        case .localized: return StringComparison.order(left, right, .localeSensitive)
        case .localizedCaseInsensitive:
            return StringComparison.order(left, right, [.localeSensitive, .caseInsensitive])
        case .localizedStandard: return left.localizedStandardCompare(right)
        case .unknown(let selector): stop(selector)
        }
    }

    private func stop(_ selector: Selector) -> Never {
        fatalError("There is no order by the method \(selector); use a comparator")
    }
}
