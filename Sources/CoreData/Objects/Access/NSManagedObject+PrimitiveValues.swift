@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObject {
    /// What ``primitiveValue(forKey:)`` gives.
    final func primitiveValueOfProperty(forKey key: String) -> Any? {
        guard let property = layout.property(named: key) else { return value(forUndefinedKey: key) }
        recordRead(property)
        return primitiveCollection(of: property) ?? value(of: property)
    }

    /// What ``setPrimitiveValue(_:forKey:)`` does.
    final func setPrimitiveValueOfProperty(_ value: Any?, forKey key: String) {
        guard let property = layout.property(named: key) else { return setValue(value, forUndefinedKey: key) }
        fireIfNeeded()
        switch property.kind {
        case .toOne: setPrimitiveToOne(checkedDestination(value, of: property), of: property)
        case .toMany: setPrimitiveMembers(checkedMembers(value, of: property), of: property)
        default: setPrimitiveAttribute(value, of: property)
        }
    }
}
