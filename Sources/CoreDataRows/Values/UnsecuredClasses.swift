import Foundation
import Synchronization

/// The classes of transformable values that any program which can write the store may have archived, with contents of
/// its choice.
enum UnsecuredClasses {
    private static let known = Mutex<Set<ObjectIdentifier>>([])

    /// Logs once in the life of the process that a class doesn't conform to `NSSecureCoding`.
    static func warn(of type: AnyClass) {
        guard known.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
        CoreDataLog.write(
            "warning: a transformable attribute has a value of the class \(type), which isn't NSSecureCoding's: make it conform, "
                + "and name a subclass of NSSecureUnarchiveFromDataTransformer in the model.", atLevel: 0)
    }
}
