import Foundation
import FoundationCompat
import Testing

@Suite("The instance in a value")
struct InstanceCastTests {
    private class Base {}
    private final class Derived: Base {}
    private protocol Named: AnyObject {}
    private final class Holder: Named {}

    /// A value as it is, without what the compiler would make of it.
    private func kept<Value>(_ value: Value) -> Any { value }

    @Test("is found as what `as AnyObject` gives, however it is held")
    func instances() {
        let derived = Derived()
        let holder = Holder()
        let number = NSNumber(value: 3)
        let values: [(Any, AnyObject)] = [
            (derived, derived), (kept(derived as Base), derived), (kept(derived as AnyObject), derived),
            (kept(holder as any Named), holder), (number, number), (kept(number as AnyObject), number),
        ]
        for (value, expected) in values { #expect(instance(value) === expected) }
        for element in NSSet(array: [1, 2.5]) { #expect(instance(element) != nil) }
    }

    @Test("isn't there in a value of another kind of type")
    func others() {
        let values: [Any] = [
            3, 2.5, "text", Date(), [1], ["a": 1], Derived.self, AnyHashable(NSNumber(value: 1)), true,
        ]
        for value in values { #expect(instance(value) == nil, "\(value)") }
    }
}
