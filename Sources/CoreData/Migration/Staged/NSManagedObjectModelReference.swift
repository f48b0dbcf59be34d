import Foundation
import ManagedObjectModel

/// A model that is named now and looked for when it is needed (Apple: NSManagedObjectModelReference).
open class NSManagedObjectModelReference: NSObject {
    private enum Origin {
        case model(NSManagedObjectModel)
        case file(URL)
        case name(String, Bundle?)
        case hashes([String: Data], Bundle?)
    }

    private let origin: Origin
    private let lock = NSLock()
    private var found: NSManagedObjectModel?
    /// What the model's version checksum has to be.
    open private(set) var versionChecksum: String

    /// Refers to a model that is there.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        origin = .model(model)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Refers to a model in a file: a `.mom`, or a `.momd`, of which the version with the checksum counts.
    public init(fileURL: URL, versionChecksum: String) {
        origin = .file(fileURL)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Refers to a model by name among a bundle's resources (those of the main bundle for nil).
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        origin = .name(modelName, bundle)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// The same with the label that newer documentation has.
    public convenience init(name modelName: String, inBundle bundle: Bundle?, versionChecksum: String) {
        self.init(name: modelName, in: bundle, versionChecksum: versionChecksum)
    }

    /// Refers to the model among a bundle's resources whose entities have these version hashes.
    public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
        let hashes = versionHash.compactMap { key, value -> (String, Data)? in
            guard let name = key as? String, let hash = value as? Data else { return nil }
            return (name, hash)
        }
        origin = .hashes(Dictionary(hashes, uniquingKeysWith: { first, _ in first }), bundle)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// The same with the label that newer documentation has.
    public convenience init(
        entityVersionHashes versionHash: [AnyHashable: Any], inBundle bundle: Bundle?, versionChecksum: String
    ) {
        self.init(entityVersionHashes: versionHash, in: bundle, versionChecksum: versionChecksum)
    }

    /// The model. The program stops where there is none with the checksum; a staged migration throws instead.
    open var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            fatalError("\(error.localizedDescription)")
        }
    }

    /// Looks for the model.
    ///
    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` that says where it was looked for.
    func resolve() throws -> NSManagedObjectModel {
        lock.lock()
        defer { lock.unlock() }
        if let found { return found }
        guard let model = try candidates().first(where: { $0.versionChecksum == versionChecksum }) else {
            throw failure("no model there has this version checksum")
        }
        found = model
        return model
    }

    private func candidates() throws -> [NSManagedObjectModel] {
        switch origin {
        case .model(let model): return [model]
        case .file(let url):
            do {
                return Array(try ModelFile.readVersions(url).models.values)
            } catch {
                throw failure("\(error)")
            }
        case .name(let name, let bundle):
            let own = bundle ?? .main
            let named = ["mom", "momd"].compactMap { own.url(forResource: name, withExtension: $0) }
            do {
                let models = try named.flatMap { try ModelFile.readVersions($0).models.values }
                if models.contains(where: { $0.versionChecksum == versionChecksum }) { return models }
            } catch {
                throw failure("\(error)")
            }
            // A name may be that of a version inside a bundle of versions.
            return try candidates(in: bundle) { $0.model(withChecksum: versionChecksum) }
        case .hashes(let hashes, let bundle):
            return try candidates(in: bundle) { $0.model(withHashes: hashes) }
        }
    }

    private func candidates(
        in bundle: Bundle?, _ find: (ModelCatalog) -> NSManagedObjectModel?
    ) throws -> [NSManagedObjectModel] {
        let catalog = ModelCatalog(bundles: ModelBundles.meant(by: bundle.map { [$0] }))
        if let model = find(catalog) { return [model] }
        if let unreadable = catalog.failures.first { throw failure("\(unreadable)") }
        return []
    }

    private func failure(_ cause: String) -> NSError {
        let place: String =
            switch origin {
            case .model: "the model that was given"
            case .file(let url): url.path
            case .name(let name, let bundle): "'\(name)' in \((bundle ?? .main).bundlePath)"
            case .hashes(_, let bundle): (bundle ?? .main).bundlePath
            }
        return MigrationError.make(
            "A model with the version checksum \(versionChecksum) isn't found in \(place): \(cause).",
            code: NSManagedObjectModelReferenceNotFoundError)
    }
}
