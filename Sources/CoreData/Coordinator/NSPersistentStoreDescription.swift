import Foundation

/// How a store is to be opened (Apple: NSPersistentStoreDescription).
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// Where the store is; nil and `/dev/null` mean a store in memory.
    open var url: URL?
    /// The type of the store; SQLite by default.
    open var type: String = NSSQLiteStoreType
    /// The configuration of the model that the store holds; nil for all of it.
    open var configuration: String?
    /// The options that the store is opened with.
    open private(set) var options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
    /// Whether the store is opened on another queue, without making the caller wait.
    open var shouldAddStoreAsynchronously = false
    /// How CloudKit is to mirror the store. Kept, compared and copied, and of no effect: a plain container doesn't look at it
    /// on Apple's platforms either, and there is no other on Linux.
    open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

    /// Describes a store at a place.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Describes a store at `/dev/null`, which is one in memory (seen in the tests of TMLPersistentContainer).
    public override init() {
        url = URL(fileURLWithPath: "/dev/null")
        super.init()
    }

    /// Sets an option; nil takes it away.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Whether the store is opened for reading only.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
    }

    /// How long to wait for a locked store, in seconds.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// The SQLite pragmas that are set when the store is opened.
    open var sqlitePragmas: [String: NSObject] {
        (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
    }

    /// Sets a SQLite pragma; nil takes it away.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
    }

    /// Whether a store of an older model is migrated; true by default.
    open var shouldMigrateStoreAutomatically: Bool {
        get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
    }

    /// Whether the mapping of a migration is worked out from the models; true by default.
    open var shouldInferMappingModelAutomatically: Bool {
        get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
    }

    /// A description of its own that says the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Swift.type(of: self).madePlainly(())
        copy.url = url
        copy.type = type
        copy.configuration = configuration
        copy.options = options
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.cloudKitContainerOptions = cloudKitContainerOptions
        return copy
    }

    /// Whether both describe the same store, with the same options.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return url == other.url && type == other.type && configuration == other.configuration
            && options == other.options && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
            && cloudKitContainerOptions?.containerIdentifier == other.cloudKitContainerOptions?.containerIdentifier
    }

    /// A hash that equal objects share.
    open override var hash: Int { url.hashValue ^ type.hashValue }

    /// Type and URL, without a password that the URL has.
    open override var description: String {
        "<\(Swift.type(of: self)) type: \(type), url: \(url?.withoutSecrets ?? "(null)")>"
    }
}
