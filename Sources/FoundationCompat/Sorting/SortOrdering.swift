import Foundation

/// How a sort descriptor compares two values that are there.
enum SortOrdering {
    case compare
    case caseInsensitive
    case localized
    case localizedCaseInsensitive
    case localizedStandard
    case block(Comparator)
    /// A method that isn't known here.
    case unknown(Selector)

    init(selector: Selector?) {
        switch selector?.description {
        case nil, "compare:": self = .compare
        case "caseInsensitiveCompare:": self = .caseInsensitive
        case "localizedCompare:": self = .localized
        case "localizedCaseInsensitiveCompare:": self = .localizedCaseInsensitive
        case "localizedStandardCompare:": self = .localizedStandard
        default: self = .unknown(selector!)
        }
    }
}
