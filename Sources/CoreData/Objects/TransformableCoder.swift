import Foundation
import FoundationCompat
import ManagedObjectModel

/// Turns the values of transformable attributes into the data that stores keep, and back.
///
/// `NSSecureUnarchiveFromData` and its like run backwards: their forward direction is from data to value (Apple: "Handling
/// different data types in Core Data"). Attributes without a transformer take what `NSCoding` can archive (Apple:
/// valueTransformerName). Any other transformer's forward direction is from value to data.
enum TransformableCoder {
    static func data(from value: Any, of property: PropertyLayout) -> Data? {
        data(from: value, transformerName: property.attribute?.valueTransformerName)
    }

    static func value(from data: Data, of property: PropertyLayout, in object: NSManagedObject?) -> Any? {
        value(
            from: data, transformerName: property.attribute?.valueTransformerName,
            isFromProgram: !property.owner.model.model.isFromFile)
    }

    static func data(from value: Any, transformerName name: String?) -> Data? {
        if let transformer = transformer(named: name) {
            let result =
                isUnarchiving(transformer)
                ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
            return result as? Data
        }
        return try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    }

    /// - Parameter isFromProgram: whether the program has chosen the transformer. One that a file names could be made for other
    ///   data, and an archive may name any class of the program; so a file has Foundation's values only.
    static func value(from data: Data, transformerName name: String?, isFromProgram: Bool) -> Any? {
        guard isFromProgram else { return valueOfFile(data, transformerName: name) }
        guard let transformer = transformer(named: name) else { return nil }
        if transformer is KeyedUnarchiveFromDataTransformer {
            return KeyedUnarchiveFromDataTransformer.value(of: data, allowsOwnClasses: true) {
                UnsecuredClasses.warn(of: $0)
            }
        }
        return isUnarchiving(transformer)
            ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }

    private static func valueOfFile(_ data: Data, transformerName name: String?) -> Any? {
        let known: [NSValueTransformerName] = [
            .secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
            .unarchiveFromDataTransformerName,
        ]
        guard name.map({ $0.isEmpty || known.contains(NSValueTransformerName($0)) }) ?? true else { return nil }
        return KeyedUnarchiveFromDataTransformer.value(of: data, allowsOwnClasses: false)
    }

    private static func transformer(named name: String?) -> ValueTransformer? {
        let name =
            name.flatMap { $0.isEmpty ? nil : $0 }
            ?? NSValueTransformerName.keyedUnarchiveFromDataTransformerName.rawValue
        return ValueTransformer(forName: NSValueTransformerName(name))
    }

    private static func isUnarchiving(_ transformer: ValueTransformer) -> Bool {
        transformer is NSSecureUnarchiveFromDataTransformer || transformer is KeyedUnarchiveFromDataTransformer
    }
}
