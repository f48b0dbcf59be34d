import CoreData
@_spi(Engine) import CoreDataRows

/// One migration by the tool: what it will do, and doing it.
struct MigrationJob {
    private let path: String
    private let url: URL
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    private let mapping: NSMappingModel?
    private let difference: ModelDifference

    init(storePath: String, modelPath: String?, destinationPath: String, mappingPath: String?) throws {
        path = StoreFile.name(storePath)
        url = try StoreFile.url(storePath)
        let source = try Self.source(modelPath, forStoreAt: url, destinationPath)
        let destination = try ModelSource.read(destinationPath)
        mapping = try mappingPath.map { path in
            try StoreFile.naming(path) {
                try NSMappingModel.read(contentsOf: URL(fileURLWithPath: path), from: source, to: destination)
            }
        }
        self.source = source
        self.destination = destination
        difference = ModelDifference(from: source, to: destination)
    }

    /// The model that the store is of: the given one, the one that it carries, or a version beside the new one.
    private static func source(
        _ modelPath: String?, forStoreAt url: URL, _ destinationPath: String
    ) throws -> NSManagedObjectModel {
        let model: NSManagedObjectModel
        do {
            model = try StoreFile.model(at: modelPath, forStoreAt: url)
        } catch  where modelPath == nil {
            guard let version = StoreFile.version(in: destinationPath, ofStoreAt: url) else { throw error }
            return version
        }
        let path = url.isFileURL ? url.path : url.withoutSecrets
        let type = StoreFile.type(of: url)
        let metadata = try StoreFile.naming(path) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        }
        if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return model }
        let differences = try StoreFile.naming(path) {
            try NSPersistentStoreCoordinator.examineStore(at: url, ofType: type, model: model).filter {
                $0.kind == .versionHash
            }
        }
        throw CommandFailure(
            path,
            "it isn't of the model \(modelPath ?? "that it carries"):\n"
                + differences.map { "  \($0)" }.joined(separator: "\n"))
    }

    /// Whether the store opens with the new model as it is.
    var isNothingToDo: Bool { difference.isCompatible }

    /// What will change, and how many rows there are.
    ///
    /// - Throws: a failure that names what stands in the way.
    func plan() throws -> [String] {
        if isNothingToDo { return ["The store has that model already."] }
        if mapping == nil, !difference.allowsLightweightMigration {
            let reasons = difference.obstacles.map { "  \($0)" }
            throw CommandFailure(
                path,
                "no mapping can be worked out, so a mapping model is needed (--mapping):\n"
                    + reasons.joined(separator: "\n"))
        }
        let changes = difference.changes.map { "  \($0)" }
        return ["Changes"] + changes + ["", "Rows"]
            + (try rows(of: url).sorted { $0.key < $1.key }).map {
                "  \($0.key): \($0.value)"
            } + [""]
    }

    private func rows(of url: URL, model: NSManagedObjectModel? = nil) throws -> [String: Int] {
        let inventory = try NSPersistentStoreCoordinator.inventory(
            ofStoreAt: url, ofType: StoreFile.type(of: url), model: model ?? source)
        return Dictionary(inventory.entities.map { ($0.name, $0.rows) }) { first, _ in first }
    }

    /// A copy of the store to try the migration on, in a folder of its own.
    private func copy() throws -> URL {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        // Only this user may look into it, whatever the store's own folder lets others do.
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let copy = folder.appendingPathComponent(url.lastPathComponent)
        do {
            try NSPersistentStoreCoordinator(managedObjectModel: source).replacePersistentStore(
                at: copy, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
                ofType: StoreFile.type(of: url))
        } catch {
            // The failure that is thrown is the one that matters.
            try? manager.removeItem(at: folder)
            throw error
        }
        return copy
    }

    /// Tries the migration on a copy and checks the result there; then, unless that is all, does it to the store.
    ///
    /// - Throws: a failure that says what is wrong. The store is as it was then.
    func run(isTrial: Bool, progress: @escaping (Double) -> Void) throws {
        try StoreFile.naming(path) {
            guard url.isFileURL else {
                if isTrial {
                    throw CommandFailure(
                        "a store in a server is migrated in one transaction and not tried on a copy. Make one with "
                            + "replacePersistentStore, and migrate that.")
                }
                return try migrate(url, progress: progress)
            }
            let copy = try copy()
            // The copy lies in the system's folder for what may go.
            defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
            let share = isTrial ? 1 : 0.5
            try migrate(copy) { progress($0 * share) }
            if isTrial { return }
            try migrate(url) { progress(share + $0 * share) }
        }
    }

    private func migrate(_ target: URL, progress: @escaping (Double) -> Void) throws {
        let known = try Set(findings(at: target, source).map(\.description))
        let before = try rows(of: target)
        try NSPersistentStoreCoordinator.migrateStore(
            at: target, ofType: StoreFile.type(of: target), from: source, to: destination, mapping: mapping,
            progress: progress)
        let new = try findings(at: target, destination).filter { !known.contains($0.description) }
        guard new.isEmpty else {
            throw CommandFailure(
                path, "the migrated store isn't sound:\n" + new.map { "  \($0)" }.joined(separator: "\n"))
        }
        try checkRows(before: before, after: rows(of: target, model: destination))
    }

    private func findings(at url: URL, _ model: NSManagedObjectModel) throws -> [StoreFinding] {
        try NSPersistentStoreCoordinator.examineStore(at: url, ofType: StoreFile.type(of: url), model: model).filter {
            // A store of an old system has indexes of other names.
            $0.kind != .missingIndex && $0.kind != .orphanFile
        }
    }

    /// An inferred mapping neither adds nor drops objects of an entity that stays.
    private func checkRows(before: [String: Int], after: [String: Int]) throws {
        guard mapping == nil else { return }
        let removed = Set(difference.changes.filter { $0.kind == .removed && $0.property == nil }.map(\.entity))
        let kept = before.filter { !removed.contains($0.key) }.values.reduce(0, +)
        let present = after.values.reduce(0, +)
        if kept != present { throw CommandFailure(path, "\(kept) rows became \(present).") }
    }
}
