import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("-com.apple.CoreData.SQLDebug")
struct SQLDebugTests {
    /// What a process writes that fetches authors, run with arguments and variables.
    private func output(_ arguments: [String], _ environment: [String: String] = [:]) throws -> [String] {
        let stack = try TemporaryStack()
        let context = stack.context()
        context.make("Author", ["name": "Ada"])
        context.make("Author", ["name": "Emma"])
        try context.save()
        let model = Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld")
        let child = try ChildProcess(
            ["fetch", stack.storeURL.path, model.path, "Author"] + arguments, environment: environment,
            includesErrors: true)
        let (lines, endedWell) = child.finish(within: 60)
        #expect(endedWell && lines.contains("fetched 1"))
        return lines.filter { $0.contains("CoreData: ") }
    }

    @Test("Nothing is logged where nothing was asked for")
    func silence() throws { #expect(try output([]) == []) }

    @Test("Level 1 logs SQL, time and rows, through swift-log")
    func level1() throws {
        let lines = try output(["-com.apple.CoreData.SQLDebug", "1"])
        let fetch = try #require(lines.first { $0.contains("FROM ZAUTHOR") })
        #expect(fetch.contains("com.apple.CoreData") && fetch.contains("CoreData: sql: SELECT t0.Z_PK"))
        #expect(fetch.contains("WHERE t0.ZNAME >= ? AND t0.ZNAME < ?") && fetch.contains(/\(\d+\.\d{4} s, 1 rows\)/))
        #expect(!lines.contains { $0.contains("PRAGMA") })
    }

    @Test("Level 2 logs pragmas and transactions too, level 3 values, level 4 the query plan")
    func higherLevels() throws {
        #expect(try output(["-com.apple.CoreData.SQLDebug", "2"]).contains { $0.contains("PRAGMA") })
        let values = try output(["-com.apple.CoreData.SQLDebug", "3"])
        #expect(values.contains { $0.contains("t0.ZNAME >= 'A' AND t0.ZNAME < 'B'") })
        #expect(!values.contains { $0.contains("plan:") })
        let plan = try output(["-com.apple.CoreData.SQLDebug", "4"])
        #expect(plan.contains { $0.contains("details: plan: SEARCH t0 USING INDEX Z_Author_byNameAndBorn") }, "\(plan)")
    }

    @Test("Lines go to standard error alone where that is asked for, and the environment may ask")
    func standardError() throws {
        let lines = try output([], ["COREDATA_SQL_DEBUG": "1", "COREDATA_LOGGING_STDERR": "1"])
        #expect(lines.contains { $0.hasPrefix("CoreData: sql: SELECT") }, "\(lines)")
        let byArguments = try output(
            ["-com.apple.CoreData.SQLDebug", "1", "-com.apple.CoreData.Logging.stderr", "1"])
        #expect(byArguments.contains { $0.hasPrefix("CoreData: sql: SELECT") })
    }

    @Test("Arguments win over the environment, and that over defaults; what is no number counts for nothing")
    func settings() {
        let defaults = ["com.apple.CoreData.SQLDebug": "1", "com.apple.CoreData.Logging.stderr": "YES"]
        let variables = ["COREDATA_SQL_DEBUG": "2"]
        let arguments = ["program", "-com.apple.CoreData.SQLDebug", "3"]
        let all = DebugSettings(arguments: arguments, environment: variables) { defaults[$0] }
        #expect(all.sqlLevel == 3 && all.logsToStandardError)
        #expect(DebugSettings(arguments: ["program"], environment: variables) { defaults[$0] }.sqlLevel == 2)
        #expect(DebugSettings(arguments: ["program"], environment: [:]) { defaults[$0] }.sqlLevel == 1)
        let odd = DebugSettings(
            arguments: ["program", "-com.apple.CoreData.SQLDebug"], environment: ["COREDATA_SQL_DEBUG": "much"]
        ) { _ in nil }
        #expect(odd.sqlLevel == 0 && !odd.logsToStandardError)
    }
}
