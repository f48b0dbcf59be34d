@_spi(Engine) import CoreDataRows
import Synchronization

/// What a to-one relationship without a destination gives where the program declares that there is always one.
///
/// On Apple's platforms the program is handed nil in the place of the object, and goes on: each property of nil reads as nil,
/// zero or an empty text. A reference of Swift's own can't be nil, so an object of the destination's class stands for it, that has no
/// context and no values, and counts as nil where it is set.
enum AbsentObject {
    /// The properties that were told, each once: such a declaration is a mistake.
    private static let told = Mutex<Set<String>>([])

    /// - Parameter objectClass: what the property is declared with.
    static func make(
        for property: PropertyLayout, of owner: NSManagedObject, as objectClass: NSManagedObject.Type
    ) -> NSManagedObject? {
        guard let destination = property.destination else { return nil }
        // A class that the model's name alone doesn't lead to becomes known.
        _ = destination.isOf(objectClass)
        let name = "\(owner.layout.name).\(property.name)"
        if told.withLock({ $0.insert(name).inserted }) {
            CoreDataLog.warn(
                "error: the relationship \(name) has no destination, and its declaration is not optional: an object without "
                    + "values stands for it.")
        }
        let object = destination.makeObject()
        object.setNoValues()
        object.flags.insert(.absent)
        return object
    }
}

extension NSManagedObject {
    /// Has nothing for every property, whatever the model's defaults are.
    fileprivate final func setNoValues() {
        let state = ObjectState()
        state.current = ContiguousArray(repeating: .null, count: layout.defaultRow.count)
        self.state = state
    }
}
