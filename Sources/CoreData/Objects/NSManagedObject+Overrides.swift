import CSwiftRuntime

extension NSManagedObject {
    private static let inheritedImplementation = implementation(of: NSManagedObject.self)

    /// Whether the object's class has a `validateValue(_:forKey:)` of its own, which then has to see every value.
    final var overridesValueValidation: Bool {
        Self.implementation(of: type(of: self)) != Self.inheritedImplementation
    }

    private static func implementation(of objectClass: NSManagedObject.Type) -> Int {
        Int(bitPattern: validate_value_implementation(unsafeBitCast(objectClass, to: UnsafeRawPointer.self)))
    }
}
