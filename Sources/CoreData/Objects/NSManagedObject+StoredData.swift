@_spi(Engine) import CoreDataRows
import Foundation

extension NSManagedObject {
    /// The bytes that a store keeps for a transformable attribute, whether or not anything here can read them: the
    /// transformer is usually a class of the app that wrote the store.
    package final func storedData(forTransformable key: String) -> Data? {
        fireIfNeeded()
        guard let property = layout.property(named: key), property.kind == .transformable, property.rowSlot >= 0,
            case .data(let data) = storedField(property)
        else { return nil }
        return data
    }
}
