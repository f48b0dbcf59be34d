import FoundationCompat
import Testing

@Suite("Random predicates")
struct RandomPredicateTests {
    private static let seed = UInt64(ProcessInfo.processInfo.environment["COREDATA_SEED"] ?? "") ?? 20_260_917

    @Test("20,000 print what parses to an equal predicate, and evaluating them never ends the program")
    func roundTripAndEvaluation() throws {
        let books = Library.shared.books
        var evaluated = 0
        for index in 0..<20_000 {
            let seed = Self.seed &+ UInt64(index)
            var generator = PredicateGenerator(seed: seed)
            let predicate = generator.predicate(depth: 3)
            let format = predicate.parsableFormat
            let parsed: NSPredicate
            do {
                parsed = try NSPredicate.parse(format)
            } catch {
                Issue.record("seed \(seed): \(format): \(error)")
                return
            }
            guard parsed == predicate, parsed.hash == predicate.hash, parsed.parsableFormat == format else {
                Issue.record("seed \(seed): \(format) became \(parsed.parsableFormat)")
                return
            }
            let bindings: [String: Any] = ["A": 5, "B": "Emma"]
            let book = books[index % books.count]
            let result = try? predicate.checkedEvaluate(with: book, substitutionVariables: bindings)
            guard let result else { continue }
            evaluated += 1
            // What the text says is what the tree says, but for chance, the clock, and the order of dictionaries.
            if !format.contains("random"), !format.contains("now()"), !format.contains("NSDictionary") {
                let again = try parsed.checkedEvaluate(with: book, substitutionVariables: bindings)
                #expect(again == result, "seed \(seed): \(format)")
            }
        }
        #expect(evaluated > 2_000)
    }

    @Test("Decimals of 5,000 floating-point numbers print what parses to an equal predicate")
    func decimals() throws {
        var random = SeededGenerator(seed: Self.seed)
        for _ in 0..<5_000 {
            let number = Double.random(in: -1e10...1e10, using: &random)
            let decimal = try #require(Decimal(string: number.description))
            let predicate = NSPredicate(format: "SELF == %@", NSDecimalNumber(decimal: decimal))
            let parsed = NSPredicate(format: predicate.parsableFormat)
            #expect(parsed == predicate && parsed.hash == predicate.hash, "\(predicate)")
        }
    }

    @Test("are the same after substitution of variables that they don't have")
    func substitution() {
        for index in 0..<500 {
            var generator = PredicateGenerator(seed: Self.seed &+ UInt64(index))
            let predicate = generator.predicate(depth: 3)
            #expect(predicate.withSubstitutionVariables(["unused": 1]) == predicate)
        }
    }
}
