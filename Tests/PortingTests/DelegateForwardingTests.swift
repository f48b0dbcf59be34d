import Testing

@testable import Porting

@Suite("Porting calls of a results controller's delegate by its optional methods")
struct DelegateForwardingTests {
    private func port(_ text: String, _ style: PortingStyle) -> String {
        SourcePorter.port(text, path: "T.swift", style: style, surroundings: PortingSurroundings()).text
    }

    private let text = """
        import CoreData
        final class Forwarder {
            weak var delegate: (any NSFetchedResultsControllerDelegate)?
            func forward(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                delegate?.controllerWillChangeContent?(controller)
                delegate?.controller?(controller, didChange: object, at: nil, for: .insert, newIndexPath: path)
                other?.controller?(controller, present: view)
            }
        }

        """

    @Test func `the compiler gets calls of methods that are there`() {
        let ported = port(text, .overlay)
        #expect(ported.contains("delegate?.controllerWillChangeContent(controller)"))
        #expect(ported.contains("delegate?.controller(controller, didChange: object"))
        #expect(ported.contains("other?.controller?(controller, present: view)"))
    }

    @Test func `people get the statement twice, and once only`() {
        let ported = port(text, .portable)
        #expect(
            ported.contains(
                """
                        #if canImport(ObjectiveC)
                        delegate?.controllerWillChangeContent?(controller)
                        #else
                        delegate?.controllerWillChangeContent(controller)
                        #endif
                """))
        #expect(port(ported, .portable) == ported)
    }
}
