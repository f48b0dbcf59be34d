import Foundation
import ManagedObjectModel

extension NSManagedObject {
    /// The entity of the class in the models that are loaded: exactly one, or the program stops.
    public class func entity() -> NSEntityDescription {
        LoadedModels.shared.entity(ofClass: self)
    }

    /// A request for all objects of the class's entity.
    ///
    /// Generated classes have one of their own type, which is preferred where both fit.
    @_disfavoredOverload
    public class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = entity()
        return request
    }

    /// The values of several keys (nil as `NSNull`).
    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }

    /// Sets the values of several keys (`NSNull` as nil).
    public final func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
}
