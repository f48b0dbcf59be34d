import FoundationCompat
import Testing

@Suite("Format strings")
struct FormatTableTests {
    private var bindings: [String: Any] {
        ["MIN": 300, "NAME": "Emma", "LIST": ["Emma", "Villette"], "AUTHOR": Library.shared.austen]
    }

    @Test("print as stated and parse to an equal predicate again", arguments: FormatTable.all)
    func printing(_ table: FormatTable) throws {
        for row in table.rows {
            let predicate = try NSPredicate.parse(row.format)
            #expect(predicate.parsableFormat == row.printed)
            if !row.hasDescribedConstants { #expect(predicate.predicateFormat == row.printed) }
            let again = try NSPredicate.parse(row.printed)
            #expect(again == predicate, "\(row.format)")
            #expect(again.hash == predicate.hash, "\(row.format)")
            #expect(again.parsableFormat == row.printed)
        }
    }

    @Test("select the stated books", arguments: FormatTable.all)
    func evaluation(_ table: FormatTable) throws {
        for row in table.rows {
            let predicate = try NSPredicate.parse(row.format)
            if let numbers = row.numbers {
                #expect(try Library.shared.numbers(predicate, bindings) == numbers, "\(row.format)")
            } else {
                #expect(throws: (any Error).self, "\(row.format)") {
                    try Library.shared.numbers(predicate, bindings)
                }
            }
        }
    }

    @Test("select the same books with their variables substituted", arguments: FormatTable.all)
    func substitution(_ table: FormatTable) throws {
        for row in table.rows {
            guard let numbers = row.numbers else { continue }
            let predicate = try NSPredicate.parse(row.format).withSubstitutionVariables(bindings)
            #expect(try Library.shared.numbers(predicate) == numbers, "\(row.format)")
        }
    }

    @Test("number at least 400")
    func count() {
        #expect(FormatTable.all.map(\.rows.count).reduce(0, +) >= 400)
    }
}
