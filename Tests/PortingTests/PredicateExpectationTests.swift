import Testing

@testable import Porting

@Suite("Porting XCTest's expectations of predicates")
struct PredicateExpectationTests {
    private func port(_ text: String, _ style: PortingStyle) -> String {
        SourcePorter.port(text, path: "T.swift", style: style, surroundings: PortingSurroundings()).text
    }

    private let text = """
        import CoreData
        import XCTest
        class T: XCTestCase {
            func test() {
                let p = NSPredicate(value: true)
                let e = expectation(for: p, evaluatedWith: nil, handler: nil)
                self.expectation(for: isReady ? p : other, evaluatedWith: self)
                let w = XCTNSPredicateExpectation(predicate: NSPredicate(format: "a == 1"), object: self)
                let d = expectation(description: "saved")
                let n = expectation(forNotification: .saved, object: nil)
            }
        }

        """

    @Test func `the compiler gets Foundation's predicate on the same lines`() {
        let ported = port(text, .overlay)
        #expect(ported.contains("let e = expectation(for: p.foundationPredicate, evaluatedWith: nil, handler: nil)"))
        #expect(
            ported.contains("self.expectation(for: (isReady ? p : other).foundationPredicate, evaluatedWith: self)"))
        #expect(
            ported.contains(
                "XCTNSPredicateExpectation(predicate: NSPredicate(format: \"a == 1\").foundationPredicate, object: self)"
            ))
        #expect(ported.contains("expectation(description: \"saved\")"))
        #expect(ported.split(separator: "\n").count == text.split(separator: "\n").count)
    }

    @Test func `people get the statement twice, and once only`() {
        let ported = port(text, .portable)
        #expect(
            ported.contains(
                """
                        #if canImport(ObjectiveC)
                        let e = expectation(for: p, evaluatedWith: nil, handler: nil)
                        #else
                        let e = expectation(for: p.foundationPredicate, evaluatedWith: nil, handler: nil)
                        #endif
                """))
        #expect(port(ported, .portable) == ported)
    }
}
