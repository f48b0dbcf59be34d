@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel
import Synchronization

/// Makes a key that an object in memory doesn't have an error of the fetch that asks for it, as it is one of the store where the object
/// is in a row: a predicate may come from a user. Elsewhere such a key stops the program, as Apple's exception does.
enum UndefinedKeys {
    private final class Found: Sendable {
        let first = Mutex<(key: String, entity: String)?>(nil)
    }

    @TaskLocal private static var found: Found?

    /// - Throws: `NSCoreDataError` for a key that an object was asked for meanwhile and doesn't have.
    static func throwing<Result>(_ evaluate: () throws -> Result) throws -> Result {
        let found = Found()
        let result = try $found.withValue(found, operation: evaluate)
        guard let (key, entity) = found.first.withLock({ $0 }) else { return result }
        throw CoreDataError.make(NSCoreDataError, "keypath \(key) not found in entity \(entity)")
    }

    /// - Returns: whether it is thrown by whoever evaluates.
    static func record(_ key: String, of entity: EntityLayout) -> Bool {
        guard let found else { return false }
        found.first.withLock { $0 = $0 ?? (key, entity.name) }
        return true
    }
}
