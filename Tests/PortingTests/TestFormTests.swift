import Testing

@testable import Porting

@Suite("Porting tests that XCTest on Linux can't run")
struct TestFormTests {
    private func port(_ text: String, _ style: PortingStyle) -> String {
        SourcePorter.port(text, path: "T.swift", style: style, surroundings: PortingSurroundings()).text
    }

    private let text = """
        import XCTest
        @MainActor
        final class FeedTests: XCTestCase {
            func test_load() throws {
                try sut().load()
            }
            func testSave() { sut().save() }
            func test_later() async { await sut().later() }
            func sut() -> Feed { Feed() }
        }
        extension FeedTests {
            func testMore() {}
        }
        class OtherTests: XCTestCase {
            @MainActor func testOne() {}
            func testTwo() {}
        }
        @MainActor struct Helper { func test() {} }

        """

    @Test(arguments: [PortingStyle.overlay, .portable])
    func `the body of a test of the main actor enters it`(_ style: PortingStyle) {
        let ported = port(text, style)
        #expect(
            ported.contains(
                """
                    nonisolated func test_load() throws { @MainActor func test_load() throws {
                        try sut().load()
                    }; try MainActor.assumeIsolated(test_load) }
                """))
        #expect(
            ported.contains(
                "nonisolated func testSave() { @MainActor func testSave() { sut().save() }; "
                    + "MainActor.assumeIsolated(testSave) }"))
        #expect(ported.contains("    func test_later() async { await"))
        #expect(ported.contains("    func sut() -> Feed"))
        #expect(ported.contains("nonisolated func testMore() { @MainActor func testMore() {}; MainActor"))
        #expect(ported.contains("    nonisolated func testOne() { @MainActor func testOne() {}; MainActor"))
        #expect(ported.contains("    func testTwo() {}"))
        #expect(ported.contains("struct Helper { func test() {} }"))
        #expect(port(ported, style) == ported)
        #expect(ported.split(separator: "\n").count == text.split(separator: "\n").count)
    }

    @Test(arguments: [PortingStyle.overlay, .portable])
    func `what comes before and after a test enters the main actor, too`(_ style: PortingStyle) {
        let ported = port(
            """
            import XCTest
            class T: XCTestCase {
                @MainActor override func setUpWithError() throws { try super.setUpWithError(); make() }
                @MainActor func make() {}
                override func tearDown() {}
            }
            """, style)
        #expect(
            ported.contains(
                "nonisolated override func setUpWithError() throws { @MainActor func setUpWithError() throws { "
                    + "try super.setUpWithError(); make() }; try MainActor.assumeIsolated(setUpWithError) }"))
        #expect(ported.contains("    @MainActor func make() {}"))
        #expect(ported.contains("    override func tearDown() {}"))
    }

    @Test func `waits without a timeout get a long one`() {
        let ported = port(
            """
            import XCTest
            class T: XCTestCase {
                func test() async {
                    wait(for: [a, b])
                    await fulfillment(of: [a], enforceOrder: true)
                    await self.fulfillment(of: [a], timeout: 2)
                    wait(for: 3)
                    queue.wait()
                }
            }

            """, .overlay)
        #expect(ported.contains("wait(for: [a, b], timeout: 3_600)"))
        #expect(ported.contains("fulfillment(of: [a], timeout: 3_600, enforceOrder: true)"))
        #expect(ported.contains("fulfillment(of: [a], timeout: 2)"))
        #expect(ported.contains("queue.wait()"))
    }
}
