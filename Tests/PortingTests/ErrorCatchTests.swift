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

    @Test func `so do switches over results and errors, and clauses without a pattern`() {
        let ported = port(
            """
            import CoreData
            func show(_ result: Result<Int, any Error>, _ error: any Error) {
                switch result {
                case .success(let value): print(value)
                case .failure(let failure as NSError):
                    print(failure.code)
                }
                switch error {
                case let cocoa as CocoaError: print(cocoa)
                case let e as NSError: print(e.code)
                }
                do { try save() } catch { if let e = error as? NSError { print(e, (error as? NSError)?.code ?? 0) } }
                do { try save() } catch let e as NSError { let e = e.code; print(e) }
            }

            """, .overlay)
        #expect(ported.contains("case .failure(let failure): let failure = failure as NSError;\n"))
        #expect(ported.contains("case let cocoa as CocoaError: print(cocoa)"))
        #expect(ported.contains("case let e: let e = e as NSError; print(e.code)"))
        #expect(ported.contains("if let e = error as NSError? { print(e, (error as NSError?)?.code ?? 0) }"))
        #expect(ported.contains("catch let e { let e = e as NSError; do { let e = e.code; print(e) } }"))
    }

    @Test func `so do conditions, and patterns in parentheses`() {
        let ported = port(
            """
            import CoreData
            func show(_ result: Result<Int, any Error>, _ error: any Error) {
                if case .failure(let e as NSError) = result, e.code == 1 { print(e.code) }
                guard case let .failure(e as NSError) = result else { return }
                if case let other as NSError = error { print(other, e) }
                switch result {
                case let .failure(failure as NSError): print(failure.code)
                case .success: break
                }
                do { try save() } catch (let e as NSError) { print(e.code) }
            }

            """, .overlay)
        #expect(
            ported.contains(
                "if case .failure(let eAsThrown) = result, case let e = eAsThrown as NSError, e.code == 1 { print("))
        #expect(
            ported.contains(
                "guard case let .failure(eAsThrown) = result, case let e = eAsThrown as NSError else { return }"))
        #expect(ported.contains("if case let other = error as NSError { print(other, e) }"))
        #expect(ported.contains("case let .failure(failure): let failure = failure as NSError; print(failure.code)"))
        #expect(ported.contains("catch (let e) { let e = e as NSError; print(e.code) }"))
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
