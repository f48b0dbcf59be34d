import ManagedObjectModel
import Synchronization

/// Logs once for each attribute that its data can't be read: a store full of such values would fill the log otherwise.
enum UnreadableTransformables {
    private static let logged = Mutex<Set<String>>([])

    static func logOnce(_ property: PropertyLayout, of object: (any ValueOwner)?, _ reason: String) {
        let place = "\(property.owner.name).\(property.name)"
        guard logged.withLock({ $0.insert(place).inserted }) else { return }
        let whose = object.map { " of \($0.nameInErrors)" } ?? ""
        CoreDataLog.write(
            "The value of \(place)\(whose) can't be read: \(reason). It reads as nil, and its data stays as it is until "
                + "another value is set. Further values of the attribute that can't be read aren't reported.",
            atLevel: 0)
    }
}
