import CoreData

/// One migration by the tool: what it will do, and doing it.
struct MigrationJob {
    private let path: String
    private let url: URL
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    private let mapping: NSMappingModel?
    private let difference: ModelDifference

    init(storePath: String, modelPath: String?, destinationPath: String, mappingPath: String?) throws {
        path = storePath
        url = try StoreFile.url(storePath)
        let source = try StoreFile.model(at: modelPath, forStoreAt: url)
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
            ofStoreAt: url, ofType: NSSQLiteStoreType, model: model ?? source)
        return Dictionary(inventory.entities.map { ($0.name, $0.rows) }) { first, _ in first }
    }

    /// A copy of the store to try the migration on, in a folder of its own.
    func copy() throws -> URL {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = url.deletingPathExtension().lastPathComponent
        let files = [url.lastPathComponent, url.lastPathComponent + "-wal", ".\(name)_SUPPORT"]
        for file in files {
            let original = url.deletingLastPathComponent().appendingPathComponent(file)
            guard manager.fileExists(atPath: original.path) else { continue }
            try manager.copyItem(at: original, to: folder.appendingPathComponent(file))
        }
        return folder.appendingPathComponent(url.lastPathComponent)
    }

    /// Migrates the store, or a copy, which is removed then, and checks the result.
    func run(on copy: URL?, progress: @escaping (Double) -> Void) throws {
        defer { if let copy { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) } }
        let target = copy ?? url
        try StoreFile.naming(path) {
            let known = try Set(findings(at: target, source).map(\.description))
            try NSPersistentStoreCoordinator.migrateStore(
                at: target, ofType: NSSQLiteStoreType, from: source, to: destination, mapping: mapping,
                progress: progress)
            let new = try findings(at: target, destination).filter { !known.contains($0.description) }
            guard new.isEmpty else {
                throw CommandFailure(
                    path, "the migrated store isn't sound:\n" + new.map { "  \($0)" }.joined(separator: "\n"))
            }
            try checkRows(of: target)
        }
    }

    private func findings(at url: URL, _ model: NSManagedObjectModel) throws -> [StoreFinding] {
        try NSPersistentStoreCoordinator.examineStore(at: url, model: model).filter {
            // A store of an old system has indexes of other names.
            $0.kind != .missingIndex && $0.kind != .orphanFile
        }
    }

    /// An inferred mapping neither adds nor drops objects of an entity that stays.
    private func checkRows(of target: URL) throws {
        guard mapping == nil else { return }
        let after = try rows(of: target, model: destination).values.reduce(0, +)
        let removed = Set(difference.changes.filter { $0.kind == .removed && $0.property == nil }.map(\.entity))
        guard removed.isEmpty, target != url else { return }
        let before = try rows(of: url).values.reduce(0, +)
        if before != after { throw CommandFailure(path, "\(before) rows became \(after).") }
    }
}
