import CoreData
import Foundation
import ServerWork
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Two processes with eight writers each, at work while something breaks.
struct FaultRun {
    /// For how many seconds they work; 600 by hand and at night.
    static let seconds = ProcessInfo.processInfo.environment["COREDATA_FAULT_SECONDS"].flatMap { Double($0) } ?? 8

    private let folder: TemporaryFolder
    let processes: [WriterProcess]
    let end: Date

    /// Makes the store, and starts the writers.
    ///
    /// - Parameter store: how the writers get to the server; nil for the straight way.
    init(_ server: FaultServer, byWayOf store: URL? = nil) throws {
        folder = try TemporaryFolder()
        let stack = try ServerStack(server.url, WorkModel.make(), options: Self.options)
        let context = stack.context()
        try context.performAndWait { try ServerWorker.prepare(context) }
        try stack.close()
        let end = Date(timeIntervalSinceNow: Self.seconds)
        self.end = end
        let place = folder.url
        processes = try ["a", "b"].map {
            try WriterProcess($0, store: store ?? server.url, folder: place, until: end)
        }
    }

    static var options: [String: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// Does something again and again, as long as the writers work.
    ///
    /// - Parameter pause: for how many seconds to wait before each time.
    func repeating(every pause: ClosedRange<Double>, _ body: () throws -> Void) throws {
        while true {
            let next = Date(timeIntervalSinceNow: .random(in: pause))
            if next >= end { return }
            Thread.sleep(until: next)
            try body()
        }
    }

    /// Waits for the writers, and compares what they noted with what the server has.
    func check(on server: FaultServer, _ what: String) throws -> WorkCheck {
        let failures = processes.flatMap { $0.finish() }
        #expect(failures == [])
        let check = try WorkCheck(folder.url)
        let stack = try ServerStack(server.url, WorkModel.make(), options: Self.options)
        let context = stack.context()
        try context.performAndWait {
            try check.compare(context)
            // It can be used like any other.
            NSEntityDescription.insertNewObject(forEntityName: "Receipt", into: context).setValue(
                "end", forKey: "token")
            try context.save()
        }
        try check.compareHistory(server)
        try stack.close()
        print("\(what): \(check.summary)")
        return check
    }
}
