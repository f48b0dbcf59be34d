import Testing

@testable import Porting

@Suite("Porting clauses that catch errors as NSError")
struct ErrorCatchTests {
    private func port(_ text: String, _ style: PortingStyle) -> String {
        SourcePorter.port(text, path: "A.swift", style: style, surroundings: .init()).text
    }

    private let source = """
        import CoreData
        func save(_ context: NSManagedObjectContext) {
            do {
                try context.save()
            } catch let error as NSError {
                print(error.userInfo)
            }
            do { try context.save() } catch let failure as NSError where failure.code == 133020 { print(failure) } catch {}
            do { try context.save() } catch var e as NSError {}
        }

        """

    @Test func `a build catches all, and casts afterwards, on the lines where it was`() {
        let ported = port(source, .overlay)
        #expect(ported.contains("} catch let error { let error = error as NSError;\n        print(error.userInfo)"))
        #expect(
            ported.contains(
                "catch let failure where ({ (failure: NSError) -> Bool in failure.code == 133020 })(failure as NSError) "
                    + "{ let failure = failure as NSError; print(failure) } catch {}"))
        #expect(ported.contains("catch let e { var e = e as NSError;}"))
        #expect(ported.split(separator: "\n").count == source.split(separator: "\n").count)
    }

    @Test func `people get a line of its own`() {
        let ported = port(source, .portable)
        #expect(
            ported.contains("} catch let error {\n        let error = error as NSError\n        print(error.userInfo)"))
    }

    @Test func `other clauses stay as they are`() {
        let text = """
            import CoreData
            func save(_ context: NSManagedObjectContext) {
                do { try context.save() } catch let error as CocoaError { print(error as NSError) } catch { print(error as NSError) }
                do { try context.save() } catch is NSError {} catch let error as NSError? {} catch {}
            }

            """
        #expect(port(text, .overlay) == text)
    }
}
