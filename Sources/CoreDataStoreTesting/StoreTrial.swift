import CoreData
import Foundation

/// One rule under way: its folder, and what was otherwise than expected.
final class StoreTrial {
    let conformance: StoreConformance
    let folder: URL
    private let above: URL
    private(set) var failures: [String] = []

    init(_ conformance: StoreConformance) throws {
        self.conformance = conformance
        above = FileManager.default.temporaryDirectory
            .appendingPathComponent("CoreDataStoreTesting-\(UUID().uuidString)")
        // One folder deeper, so that it can be moved away.
        folder = above.appendingPathComponent("stores")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Removes what the rule has left.
    func cleanUp() {
        // It lies in the system's folder for what may go.
        try? FileManager.default.removeItem(at: above)
    }

    // MARK: Expectations

    func recordFailure(_ failure: String) { failures.append(failure) }

    func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) {
        if !condition { recordFailure(expectation()) }
    }

    func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: @autoclosure () -> String) {
        if found != expected { recordFailure("\(what()): expected \(expected), found \(found)") }
    }

    /// The same lines in any order; names the first that differ, rather than everything.
    func expectSame(_ found: [String], _ expected: [String], _ what: String) {
        let (missing, unexpected) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
        for line in missing.sorted().prefix(5) { recordFailure("\(what): missing: \(line)") }
        for line in unexpected.sorted().prefix(5) { recordFailure("\(what): unexpected: \(line)") }
        expectEqual(found.count, expected.count, "\(what): number of objects")
    }

    /// The value, or an error that ends the rule.
    func require<Value>(_ value: Value?, _ what: String) throws -> Value {
        guard let value else { throw MissingValue(description: "there is no \(what)") }
        return value
    }

    /// Something must throw; the error is given back.
    @discardableResult
    func expectError(_ what: String, _ body: () throws -> Void) -> NSError? {
        do {
            try body()
        } catch {
            return error as NSError
        }
        recordFailure("\(what): expected an error, and there was none")
        return nil
    }

    private struct MissingValue: Error, CustomStringConvertible {
        let description: String
    }

    // MARK: Stacks

    /// The place of a store; the same one for the same name.
    func storeURL(_ name: String = "first") throws -> URL {
        // Said to be a folder, as the URL would otherwise be another one once the folder is there.
        let own = folder.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        return try conformance.place(own)
    }

    func open(
        _ url: URL? = nil, type: String? = nil, model: NSManagedObjectModel? = nil, options: [String: Any] = [:]
    ) throws -> TrialStack {
        let type = type ?? conformance.storeType
        return try TrialStack(
            url ?? storeURL(), type: type, model: model ?? TrialModel.make(),
            options: self.options(of: type).merging(options) { $1 })
    }

    /// The options that stores of a type are opened with.
    func options(of type: String) -> [String: Any] {
        type == conformance.storeType ? conformance.options as [String: Any] : [:]
    }

    /// Does something in the context of a store that was saved and opened again; where a store can't be, in another
    /// context of the same stack.
    func reopened<Result>(_ stack: TrialStack, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        guard conformance.keepsContents else { return try stack.inNewContext(body) }
        // After Save As, the coordinator's store isn't the one that the stack was made with.
        guard let url = stack.coordinator.persistentStores.first?.url else {
            throw MissingValue(description: "the URL of a store")
        }
        try stack.close()
        return try open(url).run(body)
    }
}
