import CoreData
import Testing

@Suite("Nine contexts at work at once")
struct ConcurrentWorkTests {
    /// Two seconds; `make test-tsan` has more, and looks for data races.
    private static let seconds =
        ProcessInfo.processInfo.environment["COREDATA_WORK_SECONDS"].flatMap(Double.init) ?? 2

    @Test("Eight write and one follows them: nothing is lost, nothing fails, no state is half of a save")
    func work() throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Library.sqlite")
        let model = Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld")
        let child = try ChildProcess(["work", store.path, model.path, "\(Self.seconds)"])
        let (lines, endedWell) = child.finish(within: Self.seconds + 60)
        #expect(endedWell)
        #expect(lines.filter { $0.hasPrefix("wrong") } == [])
        #expect(lines.contains { $0.hasSuffix("books") })
    }
}
