import FoundationCompat
import Testing

@Suite("Swift's #Predicate as NSPredicate")
struct SwiftPredicateTests {
    init() {
        KeyPathNames.register([
            \Book.title: "title", \Book.pages: "pages", \Book.copies: "copies", \Book.inPrint: "inPrint",
            \Book.author: "author", \Book.loans: "loans", \Book.tags: "tags", \Book.rating: "rating",
            \Author.name: "name", \Author.born: "born", \Loan.days: "days", \Loan.member: "member",
        ])
    }

    @Test("selects the same objects, and prints as a format")
    func conversion() throws {
        let limit = 300
        let cases: [(Predicate<Book>, String, [Int])] = [
            (#Predicate { $0.title == "Emma" }, "title == \"Emma\"", [1]),
            (#Predicate { $0.copies > 1 && $0.inPrint }, "copies > 1 AND inPrint == 1", [1, 3, 5]),
            (
                #Predicate { !($0.copies > 1) || $0.title != "Emma" }, "(NOT copies > 1) OR title != \"Emma\"",
                [2, 3, 4, 5, 6, 7, 8]
            ),
            (#Predicate { $0.pages == nil }, "pages == nil", [7]),
            (#Predicate { ($0.pages ?? 0) > limit }, "TERNARY(pages != nil, pages, 0) > 300", [1, 3, 5, 6]),
            (#Predicate { $0.author?.name == "Jane Austen" }, "author.name == \"Jane Austen\"", [1, 2]),
            (#Predicate { $0.title.contains("and") }, "title CONTAINS \"and\"", [5]),
            (#Predicate { $0.title.starts(with: "E") }, "title BEGINSWITH \"E\"", [1]),
            (#Predicate { $0.tags.contains("long") }, "\"long\" IN tags", [5]),
            (
                #Predicate { $0.loans.contains { $0.days > 30 } },
                "SUBQUERY(loans, $x1, $x1.days > 30).@count > 0", [4, 5]
            ),
            (
                #Predicate { $0.loans.allSatisfy { $0.days > 30 } },
                "SUBQUERY(loans, $x1, NOT $x1.days > 30).@count == 0", [3, 4, 6, 7, 8]
            ),
            (
                #Predicate { $0.loans.filter { $0.days > 30 }.count == 2 },
                "SUBQUERY(loans, $x1, $x1.days > 30).@count == 2", [5]
            ),
            (#Predicate { $0.tags.count + $0.copies * 2 == 8 }, "tags.@count + copies * 2 == 8", [1]),
            (#Predicate { $0.title.count < 5 }, "length:(title) < 5", [1]),
            (#Predicate { $0.tags.isEmpty }, "tags.@count == 0", [3]),
            (#Predicate { (1...2).contains($0.copies) }, "copies BETWEEN {1, 2}", [2, 3, 6, 7]),
            (#Predicate { $0.copies % 2 == 1 }, "modulus:by:(copies, 2) == 1", [1, 2, 5, 6, 7]),
        ]
        for (predicate, format, numbers) in cases {
            let classic = try #require(NSPredicate(predicate), "\(format)")
            #expect(classic.predicateFormat == format)
            #expect(try Library.shared.numbers(classic) == numbers, "\(format)")
        }
    }

    @Test("is nil where a key path has no name")
    func unnamed() {
        #expect(NSPredicate(#Predicate<Book> { $0.size == "octavo" }) == nil)
    }
}
