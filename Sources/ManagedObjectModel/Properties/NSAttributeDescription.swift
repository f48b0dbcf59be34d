import Foundation
import FoundationCompat

/// The description of an attribute: a value that is no object of the model.
open class NSAttributeDescription: NSPropertyDescription {
    /// The class, the address and what the attribute is made of.
    open override var description: String { super.description + PrintedDescription.details(of: self) }

    /// The type of the values, in the older spelling of `type`.
    open var attributeType: NSAttributeType = .undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the values.
    open var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }

    /// The class name that was set, where it was.
    package final var explicitValueClassName: String? { willSet { requireMutable() } }

    /// The name of the values' class, for instance "NSString"; nil for undefined and transformable attributes
    /// that name none.
    open var attributeValueClassName: String? {
        get { explicitValueClassName ?? attributeType.valueClassName }
        set { explicitValueClassName = newValue }
    }

    /// The value of a new object. Kept as it is, not copied.
    open var defaultValue: Any? { willSet { requireMutable() } }

    /// The name of the value transformer of a transformable attribute.
    open var valueTransformerName: String? { willSet { requireMutable() } }

    /// Whether large data may be stored in a file beside the store.
    open var allowsExternalBinaryDataStorage: Bool = false { willSet { requireMutable() } }

    /// Whether the last value of a deleted object stays in the persistent history.
    open var preservesValueInHistoryOnDeletion: Bool = false { willSet { requireMutable() } }

    /// Whether CloudKit is to encrypt the value. Has no effect on Linux; kept for model files.
    open var allowsCloudEncryption: Bool = false { willSet { requireMutable() } }

    package override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSAttributeDescription else { return }
        attributeType = other.attributeType
        explicitValueClassName = other.explicitValueClassName
        defaultValue = other.defaultValue
        valueTransformerName = other.valueTransformerName
        allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
        preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
        allowsCloudEncryption = other.allowsCloudEncryption
    }

    package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSAttributeDescription, super.hasSameContents(as: other) else { return false }
        return attributeType == other.attributeType && attributeValueClassName == other.attributeValueClassName
            && ValueEquality.areEqual(defaultValue, other.defaultValue)
            && valueTransformerName == other.valueTransformerName
            && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
            && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
            && allowsCloudEncryption == other.allowsCloudEncryption
    }
}

extension NSAttributeType {
    /// The class of the values of an attribute of this type, as compiled models name it.
    package var valueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .objectIDAttributeType: "NSManagedObjectID"
        case .compositeAttributeType: "NSDictionary"
        case .undefinedAttributeType, .transformableAttributeType: nil
        }
    }
}
