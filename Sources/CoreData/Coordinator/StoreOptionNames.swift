import Foundation
import Synchronization

/// The options of stores that mean something here.
enum StoreOptionNames {
    private static let known: Set<String> = [
        NSReadOnlyPersistentStoreOption, NSPersistentStoreTimeoutOption, NSSQLitePragmasOption,
        NSIgnorePersistentStoreVersioningOption, NSMigratePersistentStoresAutomaticallyOption,
        NSInferMappingModelAutomaticallyOption, NSPersistentStoreForceDestroyOption, NSSQLiteAnalyzeOption,
        NSSQLiteManualVacuumOption, NSPersistentStoreConnectionPoolMaxSizeKey, NSPersistentStoreFileProtectionKey,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSPersistentHistoryTrackingKey,
        NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        StatementObserverOption,
    ]
    private static let noted = Mutex<Set<String>>([])

    /// Says once for each option that it means nothing to the framework's own stores: a misspelt one would otherwise look as
    /// if it did something. It is tolerated, as on Apple's platforms. Other classes of stores have options of their own.
    static func noteUnknown(in options: [AnyHashable: Any]?, _ storeClass: NSPersistentStore.Type) {
        guard let options, storeClass.optionsAreKnown else { return }
        for key in options.keys {
            let name = key.base as? String ?? "\(key)"
            if known.contains(name) || !noted.withLock({ $0.insert(name).inserted }) { continue }
            let hint = Suggestion.nearest(to: name, among: Array(known)).map { " Did you mean '\($0)'?" } ?? ""
            CoreDataLog.note("the store option '\(name)' means nothing here and is ignored.\(hint)", atLevel: 0)
        }
    }
}
