#if DEBUG
    import CoreData
    import Foundation
    import Testing

    /// Those of small programs, in which a line is found soon.
    @Suite("A warning of the check of queues")
    struct ConcurrencyWarningTests {
        /// "Every method that is called on another queue is warned of, and works".
        @Test(
            "names the public method and the program's line, once each, for every method that is checked",
            .disabled(if: Sanitizer.isOn, "a line takes minutes to find"))
        func methods() throws {
            let (lines, endedWell) = try run(idiom: 6)
            #expect(endedWell)
            let calls = lines.filter { $0.hasPrefix("calls ") }.map { $0.split(separator: " ", maxSplits: 2) }
            #expect(calls.count == 19)
            let warnings = lines.filter { $0.contains("concurrency violation at") }
            for call in calls {
                let text = "ConcurrencyIdioms.swift:\(call[1]): the context's \(call[2]) was used"
                #expect(warnings.count { $0.contains(text) } == 1, "\(text)\n\(warnings.joined(separator: "\n"))")
            }
            // What the class does itself when an object is made is a place of its own.
            #expect(
                warnings.count { !$0.contains("Person.swift:") } == calls.count, "\(warnings.joined(separator: "\n"))")
        }

        /// "A context used from another queue is warned of and goes on", an ordinary program.
        private func run(
            _ arguments: String..., idiom number: Int = 5, environment: String = ""
        ) throws -> (lines: [String], endedWell: Bool) {
            try ChildProcess(
                ["run", "concurrency"] + arguments + ["\(number)"], of: "Idioms",
                environment: ["COREDATA_CONCURRENCY_DEBUG": environment], includesErrors: true
            ).finish(within: 60)
        }

        @Test("tells how to have the program stop, and how to be quiet")
        func advice() throws {
            let (lines, endedWell) = try run()
            #expect(endedWell)
            let text = lines.joined(separator: "\n")
            #expect(text.contains("COREDATA_CONCURRENCY_DEBUG=1"), "\(text)")
            #expect(text.contains("-com.apple.CoreData.ConcurrencyDebug 1"), "\(text)")
            #expect(text.contains("0 is silence"), "\(text)")
        }

        @Test("becomes the program's end by Apple's argument with 1, whatever the environment says")
        func argument() throws {
            let (lines, endedWell) = try run("-com.apple.CoreData.ConcurrencyDebug", "1", environment: "0")
            #expect(!endedWell)
            #expect(lines.contains { $0.contains("concurrency violation") }, "\(lines)")
        }

        @Test("isn't given at all by the argument with 0, nor by the environment")
        func silence() throws {
            for (lines, endedWell) in [
                try run("-com.apple.CoreData.ConcurrencyDebug", "0", environment: "1"), try run(environment: "0"),
            ] {
                #expect(endedWell)
                #expect(!lines.contains { $0.contains("violation") }, "\(lines)")
            }
        }
    }

    @Suite("A performAndWait on the main queue")
    struct UnservedMainQueueTests {
        @Test("that nobody serves is told of after a while, with what to do, and goes on when somebody does")
        func unserved() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let told = await MainActor.run {
                    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                    let told = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        context.performAndWait {}
                        told.signal()
                    }
                    // Nothing else can run on the main queue meanwhile.
                    precondition(told.wait(timeout: .now() + 7) == .timedOut)
                    return told
                }
                DispatchQueue.global().sync { told.wait() }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("nothing serves the main queue"), "\(text)")
            #expect(text.contains("newBackgroundContext()"), "\(text)")
        }
    }
#endif
