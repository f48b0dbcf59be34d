import CoreDataSQL
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Connections to a server")
struct ConnectionTests {
    private func address(_ parameters: String = "") throws -> PostgreSQLAddress {
        try PostgreSQLAddress(TestServer.shared.url(schema: "public", parameters: parameters))
    }

    @Test("Values come back as they went, in the server's binary form")
    func values() throws {
        let connection = try PostgreSQLConnection(address(), timeout: 10)
        var parameters = PostgreSQLParameters()
        let uuid = UUID()
        parameters.append(Int64.min)
        parameters.append(Int16(-3))
        parameters.append(-1.5e-300)
        parameters.append("ä🐉 'x'")
        parameters.append(Data([0, 255]))
        parameters.append(uuid)
        parameters.append(true)
        parameters.append([Int64(1), -2])
        parameters.appendNull(.text)
        parameters.append("")
        for _ in 0..<3 {
            let result = try connection.execute(
                "SELECT $1, $2, $3, $4, $5, $6, $7, ($8)[2], $9, $10", parameters)
            #expect(result.int8(0, 0) == .min)
            #expect(result.int2(0, 1) == -3)
            #expect(result.double(0, 2) == -1.5e-300)
            #expect(result.string(0, 3) == "ä🐉 'x'")
            #expect(result.data(0, 4) == Data([0, 255]))
            #expect(result.uuid(0, 5) == uuid)
            #expect(result.bool(0, 6))
            #expect(result.int8(0, 7) == -2)
            #expect(result.isNull(0, 8))
            #expect(!result.isNull(0, 9) && result.string(0, 9).isEmpty)
        }
    }

    @Test(
        "Decimals keep every digit",
        arguments: [
            "0", "1", "-1", "0.1", "-0.0001", "12345.6789", "10000", "99990000", "1e30", "1e-30",
            "123456789012345678901234567890",
            "0.00000000000000000000000000000000000001", "12345678901234567890.123456789", "NaN",
        ])
    func decimals(text: String) throws {
        let decimal = text == "NaN" ? Decimal.nan : try #require(Decimal(string: text))
        let connection = try PostgreSQLConnection(address(), timeout: 10)
        var parameters = PostgreSQLParameters()
        parameters.append(decimal)
        let result = try connection.execute("SELECT $1, CAST($1 AS text)", parameters)
        let found = try #require(result.decimal(0, 0))
        #expect(decimal.isNaN ? found.isNaN : found == decimal)
        if !decimal.isNaN { #expect(Decimal(string: result.string(0, 1)) == decimal) }
    }

    @Test("Question marks become numbered parameters, but those in names and texts don't")
    func placeholders() {
        #expect(
            PostgreSQLStatement.numbered("a = ? AND \"b?\" = '?''?' OR c = ?") == "a = $1 AND \"b?\" = '?''?' OR c = $2"
        )
    }

    @Test(
        "A fragment's bindings are parameters, names are in quotes, and a text that libpq wouldn't see the end of is refused"
    )
    func fragments() throws {
        let connection = try PostgreSQLConnection(address(), timeout: 10)
        let name = "x\"\u{301}?$1"
        for _ in 0..<3 {
            let result = try connection.execute(
                """
                SELECT \(bind: .int(3)) + 1, \(bind: .text("a'?")) AS \(.quoted(name)), \(bind: .null) IS NULL, \
                \(.constant("?'\u{301}\\"))
                """
            )
            #expect(result.int8(0, 0) == 4)
            #expect(result.string(0, 1) == "a'?" && result.columnName(1) == name)
            #expect(result.bool(0, 2))
            #expect(result.string(0, 3) == "?'\u{301}\\")
        }
        let failure = #expect(throws: PostgreSQLFailure.self) { try connection.execute("SELECT 1 \u{0}x") }
        #expect(failure?.state == PostgreSQLFailure.syntaxError)
        #expect(try connection.ask(["2 + 1", "NULL"]) == ["3", nil])
    }

    @Test("No more connections are made than the limit says, and threads get them in the order in which they asked")
    func pool() throws {
        let pool = PostgreSQLPool(try address(), limit: 1, timeout: 20)
        let order = Mutex<[Int]>([])
        let done = DispatchGroup()
        try pool.withConnection { _ in
            for number in 0..<5 {
                let asks = DispatchSemaphore(value: 0)
                DispatchQueue.global().async(group: done) {
                    asks.signal()
                    do {
                        try pool.withConnection { _ in order.withLock { $0.append(number) } }
                    } catch {
                        Issue.record(error)
                    }
                }
                asks.wait()
                usleep(50_000)
            }
        }
        done.wait()
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test("Waiting for a connection ends with an error that says what to do")
    func timeout() throws {
        let pool = PostgreSQLPool(try address(), limit: 1, timeout: 0.1)
        try pool.withConnection { _ in
            let error = #expect(throws: NSError.self) { try pool.withConnection { _ in } }
            #expect(error?.code == NSPersistentStoreTimeoutError)
            #expect(error?.localizedDescription.contains(NSPersistentStoreConnectionPoolMaxSizeKey) == true)
        }
    }

    @Test("A connection that the server has ended is replaced, and the next save and fetch go on")
    func lostConnections() throws {
        let schema = TestServer.freshSchema()
        let stack = try ServerStack(TestServer.shared.url(schema: schema), NoteModel.make())
        let context = stack.context()
        func end() throws {
            try TestServer.shared.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
                AND query LIKE '%\(schema)%'
                """, in: "public")
        }
        try context.performAndWait {
            NoteModel.note("one", in: context)
            try context.save()
            try end()
            #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).count == 1)
            try end()
            NoteModel.note("two", in: context)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 2)
        }
    }

    @Test(
        "A password is in no error",
        arguments: ["postgresql://me:s3cret@localhost:1/x", "postgresql://[bad:s3cret@/x?password=s3cret"])
    func passwords(text: String) throws {
        let url = try #require(URL(string: text) ?? URL(string: text.replacing("[", with: "%5B")))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NoteModel.make())
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
        }
        #expect(!String(describing: error).contains("s3cret"))
        let info = error?.userInfo.description ?? ""
        #expect(!info.contains("s3cret"))
        #expect(!url.withoutSecrets.contains("s3cret"))
    }

    @Test("What the server says comes with SQLSTATE, table and constraint")
    func serverErrors() throws {
        let connection = try PostgreSQLConnection(address(), timeout: 10)
        let failure = #expect(throws: PostgreSQLFailure.self) { try connection.execute("SELECT 1/0") }
        #expect(failure?.state == "22012")
        try connection.executeScript("CREATE TEMPORARY TABLE once (x int CONSTRAINT only_one UNIQUE)")
        try connection.execute("INSERT INTO once VALUES (1)")
        let broken = #expect(throws: PostgreSQLFailure.self) { try connection.execute("INSERT INTO once VALUES (1)") }
        #expect(broken?.table == "once" && broken?.constraint == "only_one")
        let error = broken?.error(NSPersistentStoreSaveError, at: try address())
        #expect(error?.userInfo["SQLSTATE"] as? String == "23505")
        #expect(error?.userInfo["table"] as? String == "once")
    }
}
