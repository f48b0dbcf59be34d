import Foundation
import FoundationCompat

/// The orders of strings that sort descriptors ask for, as SQL collations with the code that sorts in memory.
package enum SQLStringCollation: String, CaseIterable {
    case caseInsensitive = "OCDCaseInsensitive"
    case localized = "OCDLocalized"
    case localizedCaseInsensitive = "OCDLocalizedCaseInsensitive"
    case localizedStandard = "OCDLocalizedStandard"

    /// Nil for a method that no collation stands for.
    package init?(selector: String) {
        guard let collation = Self.allCases.first(where: { $0.selector == selector }) else { return nil }
        self = collation
    }

    /// The method of strings whose order this is.
    package var selector: String {
        switch self {
        case .caseInsensitive: return "caseInsensitiveCompare:"
        case .localized: return "localizedCompare:"
        case .localizedCaseInsensitive: return "localizedCaseInsensitiveCompare:"
        case .localizedStandard: return "localizedStandardCompare:"
        }
    }
}

extension SQLStringCollation {
    /// The order of two strings.
    package var order: @Sendable (String, String) -> ComparisonResult {
        let selector = Selector(self.selector)
        return { SortOrdering(selector: selector).compare($0, $1) }
    }
}
