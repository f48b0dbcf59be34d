import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

extension NSMigrationManager {
    /// Takes the bytes of a transformable attribute over as they are, where a mapping says no more than `$source.name`.
    ///
    /// Nothing has to be able to read them then: their transformer, or the classes in the archive, may be the app's, and a
    /// value that can't be read must not be lost.
    ///
    /// - Returns: false where the mapping asks for something else.
    func copyTransformable(
        _ mapping: NSPropertyMapping, from source: NSManagedObject, to destination: NSManagedObject
    ) -> Bool {
        guard let name = mapping.name, let property = destination.layout.property(named: name),
            property.kind == .transformable, property.rowSlot >= 0,
            let key = mapping.valueExpression.flatMap(Self.sourceKey),
            let former = source.layout.property(named: key), former.kind == .transformable, former.rowSlot >= 0,
            Self.transformer(of: former) == Self.transformer(of: property)
        else { return false }
        guard let data = source.storedData(forTransformable: key) else {
            // Where there is none the destination's default may be wanted.
            return false
        }
        destination.setField(.data(data), of: property)
        return true
    }

    private static func transformer(of property: PropertyLayout) -> String {
        let name = property.attribute?.valueTransformerName ?? ""
        return name.isEmpty ? NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue : name
    }

    /// The key of an expression that is just `$source.key`.
    private static func sourceKey(of expression: NSExpression) -> String? {
        // Its type is a function's, as Apple archives a path from a variable.
        guard case .keyPath(let operand?, let path) = expression.form, case .variable("source") = operand.form,
            path.isSingleKey
        else { return nil }
        return path.string
    }
}
