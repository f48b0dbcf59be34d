import CoreData
import Testing

@testable import FoundationCompat
@testable import ManagedObjectModel

@Suite("Codes of errors that modules below the table of codes know as numbers")
struct ErrorCodeTests {
    @Test("a limit in a model's file has the code of the validation that it leads to")
    func limits() {
        let codes: [(ValidationCode, Int)] = [
            (.numberTooLarge, NSValidationNumberTooLargeError), (.numberTooSmall, NSValidationNumberTooSmallError),
            (.dateTooLate, NSValidationDateTooLateError), (.dateTooSoon, NSValidationDateTooSoonError),
            (.stringTooLong, NSValidationStringTooLongError), (.stringTooShort, NSValidationStringTooShortError),
            (.stringPattern, NSValidationStringPatternMatchingError),
        ]
        for (known, declared) in codes { #expect(known.rawValue == declared) }
    }

    @Test("a pattern that is given up has the code of a fetch that can't be carried out")
    func pattern() {
        #expect(PatternTooSlow(pattern: "(a+)+").errorCode == NSCoreDataError)
    }
}
