import CLibPQ
import CoreData
import CoreDataPostgreSQL
import Dispatch
import Foundation
import Synchronization

/// The same work by libpq's functions and by the store, on one server: `postgres-bench "host=… dbname=…"`.
@main
struct Benchmark {
    private let address: String
    private let schema = "bench"
    private let rows = 200_000
    private let written = 50_000
    private let threads = 16

    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: postgres-bench \"host=/folder user=name dbname=postgres\"")
            exit(2)
        }
        try Benchmark(address: CommandLine.arguments[1]).run()
    }

    private static func model() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        let types: [(String, NSAttributeType)] = [("name", .stringAttributeType), ("number", .integer64AttributeType)]
        item.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    /// The address as a URL with a schema.
    private var url: URL {
        let items = address.split(separator: " ").compactMap { item -> String? in
            let parts = item.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] != "dbname" ? "\(parts[0])=\(parts[1])" : nil
        }
        let name = address.split(separator: " ").first { $0.hasPrefix("dbname=") }?.dropFirst(7) ?? "postgres"
        return URL(string: "postgresql:///\(name)?\(items.joined(separator: "&"))&schema=\(schema)")!
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    /// The best of three of each, side by side.
    private func compare(_ what: String, _ plain: () throws -> Void, _ store: () throws -> Void) rethrows {
        var best = (plain: Double.infinity, store: Double.infinity)
        for _ in 0..<3 {
            best.plain = min(best.plain, try seconds(plain))
            best.store = min(best.store, try seconds(store))
        }
        let name = what.padding(toLength: 44, withPad: " ", startingAt: 0)
        print(
            name
                + String(
                    format: "%8.1f ms %8.1f ms  %5.2f", best.plain * 1000, best.store * 1000, best.store / best.plain))
    }

    private func run() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        // What an earlier run has left; where a server can't be reached, adding the store says so.
        try? coordinator.destroyPersistentStore(at: url, ofType: NSPostgreSQLStoreType)
        try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: url,
            options: [NSPersistentStoreConnectionPoolMaxSizeKey: threads])
        let plain = try PlainClient(address)
        let table = "\(schema).\"Item\""
        try plain.run("CREATE TABLE \(schema).plain (LIKE \(table) INCLUDING ALL)")
        try plain.copy(into: "\(schema).plain", 1..<Int64(rows) + 1)
        func context() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.undoManager = nil
            return context
        }
        let writing = context()
        try writing.performAndWait {
            let objects = (1...rows).map { ["name": "name \($0)", "number": $0] as [String: Any] }
            try writing.execute(NSBatchInsertRequest(entityName: "Item", objects: objects))
        }
        try plain.run("ANALYZE")
        print("".padding(toLength: 44, withPad: " ", startingAt: 0) + "      libpq       store  ratio")
        try compare("fetch of \(rows) objects") {
            var sum: Int64 = 0
            var bytes = 0
            try plain.query("SELECT \"_id\", \"_entity\", \"_version\", \"name\", \"number\" FROM \(schema).plain") {
                result, count in
                for row in 0..<count {
                    sum += PlainClient.number(result, row, 0) + PlainClient.number(result, row, 4)
                    bytes += Int(PQgetlength(result, row, 3))
                }
            }
            precondition(sum > 0 && bytes > 0)
        } _: {
            let reading = context()
            try reading.performAndWait {
                let found = try reading.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
                precondition(found.count >= rows)
            }
        }
        var next = Int64(rows) + 1
        try compare("insert of \(written), one transaction") {
            try plain.copy(into: "\(schema).plain", next..<next + Int64(written))
            next += Int64(written)
        } _: {
            try writing.performAndWait {
                for number in 0..<written {
                    let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: writing)
                    object.setValue("name \(number)", forKey: "name")
                    object.setValue(number, forKey: "number")
                }
                try writing.save()
                writing.reset()
            }
        }
        try compare("batch insert of \(written), against COPY") {
            try plain.copy(into: "\(schema).plain", next..<next + Int64(written))
            next += Int64(written)
        } _: {
            try writing.performAndWait {
                var number = 0
                try writing.execute(
                    NSBatchInsertRequest(entityName: "Item") { (row: NSMutableDictionary) in
                        guard number < written else { return true }
                        row["name"] = "name \(number)"
                        row["number"] = number
                        number += 1
                        return false
                    })
            }
        }
        try comparePoints(context)
    }

    private func comparePoints(_ context: () -> NSManagedObjectContext) throws {
        let clients = try (0..<threads).map { _ in try PlainClient(address) }
        for client in clients {
            try client.prepare("read", "SELECT * FROM \(schema).plain WHERE \"_id\" = $1")
            try client.prepare("write", "UPDATE \(schema).plain SET \"_version\" = \"_version\" + 1 WHERE \"_id\" = $1")
        }
        let contexts = (0..<threads).map { _ in context() }
        let failures = Mutex<[String]>([])
        func side(_ body: @escaping @Sendable (Int) throws -> Void) {
            let group = DispatchGroup()
            for thread in 0..<threads {
                let thread = Thread {
                    do {
                        try body(thread)
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                    group.leave()
                }
                group.enter()
                thread.start()
            }
            group.wait()
        }
        // Safe: each thread has one of them.
        nonisolated(unsafe) let own = clients
        let (reads, saves, all) = (500, 60, rows)
        compare("\(threads) × \(reads) reads of an object by key") {
            side { thread in
                for number in 0..<reads {
                    try own[thread].execute("read", Int64((thread * reads + number) % all + 1)) { _, _ in }
                }
            }
        } _: {
            side { thread in
                try contexts[thread].performAndWait {
                    for number in 0..<reads {
                        let id = contexts[thread].persistentStoreCoordinator?.persistentStores.first?.identifier ?? ""
                        let uri = URL(string: "x-coredata://\(id)/Item/p\((thread * reads + number) % all + 1)")!
                        guard
                            let key = contexts[thread].persistentStoreCoordinator?.managedObjectID(
                                forURIRepresentation: uri)
                        else { continue }
                        _ = try contexts[thread].existingObject(with: key)
                    }
                    contexts[thread].reset()
                }
            }
        }
        compare("\(threads) × \(saves) saves of a changed object") {
            side { thread in
                for number in 0..<saves {
                    try own[thread].execute("write", Int64(thread * saves + number + 1)) { _, _ in }
                }
            }
        } _: {
            side { thread in
                try contexts[thread].performAndWait {
                    let context = contexts[thread]
                    let id = context.persistentStoreCoordinator?.persistentStores.first?.identifier ?? ""
                    for number in 0..<saves {
                        let uri = URL(string: "x-coredata://\(id)/Item/p\(thread * saves + number + 1)")!
                        guard let key = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
                        else { continue }
                        try context.existingObject(with: key).setValue(Int.random(in: 0...1_000_000), forKey: "number")
                        try context.save()
                    }
                }
            }
        }
        for failure in failures.withLock({ $0 }).prefix(3) { print("failed: \(failure)") }
    }
}
