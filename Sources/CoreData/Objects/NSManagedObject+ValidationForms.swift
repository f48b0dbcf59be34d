import CSwiftRuntime
import FoundationCompat

extension NSManagedObject {
    /// The two forms of `validateValue(_:forKey:)`, of which a class overrides one or none.
    enum ValidationForm {
        case value, pointer
    }

    private static let inheritedValueForm = valueForm(of: NSManagedObject.self)
    private static let inheritedPointerForm = pointerForm(of: NSManagedObject.self)

    /// Whether the object's class has rules of its own for values, which then have to see every value.
    final var overridesValueValidation: Bool {
        overrides(.value) || overrides(.pointer) || DeclaredValidator.existAny(of: type(of: self))
    }

    private func overrides(_ form: ValidationForm) -> Bool {
        switch form {
        case .value: Self.valueForm(of: type(of: self)) != Self.inheritedValueForm
        case .pointer: Self.pointerForm(of: type(of: self)) != Self.inheritedPointerForm
        }
    }

    private static func valueForm(of objectClass: NSManagedObject.Type) -> Int {
        Int(bitPattern: validate_value_implementation(unsafeBitCast(objectClass, to: UnsafeRawPointer.self)))
    }

    private static func pointerForm(of objectClass: NSManagedObject.Type) -> Int {
        Int(bitPattern: validate_pointer_implementation(unsafeBitCast(objectClass, to: UnsafeRawPointer.self)))
    }

    /// What the framework does in one of the forms: calls the other one where the class overrides just that, else checks.
    final func checkValue(_ value: inout Any?, forKey key: String, by form: ValidationForm) throws {
        if form == .value, overrides(.pointer) {
            var boxed = value.map { $0 as AnyObject }
            let before = boxed
            try withUnsafeMutablePointer(to: &boxed) {
                try validateValue(AutoreleasingUnsafeMutablePointer($0), forKey: key)
            }
            if boxed !== before { value = boxed }
        } else if form == .pointer, overrides(.value), !overrides(.pointer) {
            try validateValue(&value, forKey: key)
        } else {
            try ObjectValidation.validate(&value, forKey: key, of: self)
            try DeclaredValidator.validator(forKey: key, of: type(of: self))?(&value, of: self)
        }
    }
}
