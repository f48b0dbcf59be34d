import Testing

@testable import Porting

@Suite("Casts of generic classes") struct GenericCastTests {
    private func port(_ text: String, _ style: PortingStyle) -> PortedSource {
        PortedSource(porting: text, path: "A.swift", style: style)
    }

    @Test("A cast of a results controller, or of the result of a fetch, becomes what can succeed")
    func casts() {
        let text = """
            import CoreData
            func changed(_ c: NSFetchedResultsController<NSFetchRequestResult>) {
                let a = c as! NSFetchedResultsController<Person>
                let b = c as? NSFetchedResultsController<Person>
                let d = (try? context.execute(request) as? NSAsynchronousFetchResult<NSNumber>)?.finalResult
            }
            """
        let overlaid = port(text, .overlay).text
        #expect(overlaid.contains("let a = NSFetchedResultsController<Person>.cast(c)\n"))
        #expect(overlaid.contains("let b = NSFetchedResultsController<Person>.castIfController(c)\n"))
        let cast = "(try? NSAsynchronousFetchResult<NSNumber>.castIfResult(context.execute(request)))?.finalResult"
        #expect(overlaid.contains("let d = \(cast)\n"))
    }
}
