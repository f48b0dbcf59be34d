import Foundation
import FoundationCompat
import Synchronization

/// Finds policy classes by the names that mapping models give them.
enum MigrationPolicyClasses {
    private static let registered = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

    static func register(_ policyClass: NSEntityMigrationPolicy.Type?, as name: String) {
        registered.withLock { $0[name] = policyClass }
    }

    /// - Throws: `NSEntityMigrationPolicyError` that says how a class is made known.
    static func policy(for mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
        if let known = registered.withLock({ $0[name] }) { return policy(of: known) }
        let module = ProcessInfo.processInfo.processName
        for candidate in [name, "\(module).\(name)", "CoreData.\(name)"] {
            if let found = NSClassFromString(candidate) as? NSEntityMigrationPolicy.Type {
                return policy(of: found)
            }
        }
        throw MigrationError.make(
            "The policy class '\(name)' of the mapping \(mapping.name ?? "") isn't found. Name it as Module.Class, or make "
                + "it known with NSEntityMigrationPolicy.register(_:forName:).", code: NSEntityMigrationPolicyError)
    }

    private static func policy(of policyClass: NSEntityMigrationPolicy.Type) -> NSEntityMigrationPolicy {
        DeclaredMethods.new(policyClass) as? NSEntityMigrationPolicy ?? policyClass.madePlainly(())
    }
}

extension NSEntityMigrationPolicy {
    /// Makes a policy class known under the name that mapping models give it; nil takes the name back. An addition to
    /// Apple's API: a bare class name can't be looked up in a Swift program.
    public static func register(_ policyClass: NSEntityMigrationPolicy.Type?, forName name: String) {
        MigrationPolicyClasses.register(policyClass, as: name)
    }
}

extension GeneratedClasses {
    /// Makes migration policies known by the bare names that mapping models have for them.
    @_spi(GeneratedCode) public static func register(
        policies: @escaping @Sendable () -> [String: NSEntityMigrationPolicy.Type]
    ) {
        ClassNames.register(later: { policies() })
    }
}
