import FoundationCompat
import Synchronization

/// A method of the form `validate<Key>`, which validation finds by its name on Apple's platforms (Apple:
/// `validateValue(_:forKey:)`). Generated code registers those that a target's classes declare.
@_spi(GeneratedCode) public struct DeclaredValidator: Sendable {
    private let objectClass: NSManagedObject.Type
    private let methodName: String
    private let check: @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

    /// Takes a method of a class, and its name.
    public init<Object: NSManagedObject>(
        _ methodName: String, of objectClass: Object.Type,
        _ check: @escaping @Sendable (Object, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
    ) {
        self.objectClass = objectClass
        self.methodName = methodName
        self.check = { object, value in
            guard let object = object as? Object else { return }
            try check(object, value)
        }
    }

    func callAsFunction(_ value: inout Any?, of object: NSManagedObject) throws {
        var boxed = value.map { $0 as AnyObject }
        let before = boxed
        try withUnsafeMutablePointer(to: &boxed) { try check(object, AutoreleasingUnsafeMutablePointer($0)) }
        if boxed !== before { value = boxed }
    }
}

extension DeclaredValidator {
    private struct State {
        var pending: [@Sendable () -> [DeclaredValidator]] = []
        var declared: [ObjectIdentifier: [String: DeclaredValidator]] = [:]
        /// By class, with what it inherits.
        var known: [ObjectIdentifier: [String: DeclaredValidator]] = [:]

        mutating func validators(of objectClass: AnyClass) -> [String: DeclaredValidator] {
            if !pending.isEmpty {
                for validator in pending.flatMap({ $0() }) {
                    declared[ObjectIdentifier(validator.objectClass), default: [:]][validator.methodName] = validator
                }
                pending = []
                known = [:]
            }
            if let validators = known[ObjectIdentifier(objectClass)] { return validators }
            var validators = _getSuperclass(objectClass).map { self.validators(of: $0) } ?? [:]
            if let own = declared[ObjectIdentifier(objectClass)] { validators.merge(own) { $1 } }
            known[ObjectIdentifier(objectClass)] = validators
            return validators
        }
    }

    private static let state = Mutex(State())
    private static let isUsed = Atomic<Bool>(false)

    static func register(later validators: @escaping @Sendable () -> [DeclaredValidator]) {
        state.withLock { $0.pending.append(validators) }
        isUsed.store(true, ordering: .releasing)
    }

    /// The method that checks a key's values.
    static func validator(forKey key: String, of objectClass: NSManagedObject.Type) -> DeclaredValidator? {
        guard isUsed.load(ordering: .acquiring), let first = key.first else { return nil }
        return state.withLock { $0.validators(of: objectClass)["validate\(first.uppercased())\(key.dropFirst())"] }
    }

    /// Whether a class has any.
    static func existAny(of objectClass: NSManagedObject.Type) -> Bool {
        isUsed.load(ordering: .acquiring) && state.withLock { !$0.validators(of: objectClass).isEmpty }
    }
}
