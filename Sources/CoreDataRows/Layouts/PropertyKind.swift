import ManagedObjectModel

/// What one property holds, as a single byte that the hot loops switch over.
@_spi(Engine) public enum PropertyKind: UInt8, Sendable {
    case int16, int32, int64, bool
    /// Floating-point numbers and dates, which rows hold as doubles, and decimal numbers.
    case double, float, date, decimal
    /// Values that rows hold as bytes.
    case string, uri, uuid, data
    /// Attributes of other types.
    case transformable, composite, objectID, undefined
    /// Relationships, and fetched properties.
    case toOne, toMany, fetched

    package init(_ property: NSPropertyDescription) {
        switch property {
        case let relationship as NSRelationshipDescription:
            self = relationship.isToMany ? .toMany : .toOne
        case let attribute as NSAttributeDescription:
            self.init(attribute.attributeType)
        default:
            self = .fetched
        }
    }

    private init(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType: self = .int16
        case .integer32AttributeType: self = .int32
        case .integer64AttributeType: self = .int64
        case .booleanAttributeType: self = .bool
        case .doubleAttributeType: self = .double
        case .floatAttributeType: self = .float
        case .dateAttributeType: self = .date
        case .decimalAttributeType: self = .decimal
        case .stringAttributeType: self = .string
        case .URIAttributeType: self = .uri
        case .UUIDAttributeType: self = .uuid
        case .binaryDataAttributeType: self = .data
        case .transformableAttributeType: self = .transformable
        case .compositeAttributeType: self = .composite
        case .objectIDAttributeType: self = .objectID
        default: self = .undefined
        }
    }

    /// Whether a row stores the value in eight bytes, as an integer.
    @inlinable
    public var isInteger: Bool {
        switch self {
        case .int16, .int32, .int64, .bool: true
        default: false
        }
    }

    /// Whether classes may declare the property by a type that has no nil, as `Int16` or `Date`.
    @inlinable
    public var isScalar: Bool {
        switch self {
        case .int16, .int32, .int64, .bool, .double, .float, .date: true
        default: false
        }
    }

    /// Whether it is a to-one or to-many relationship. Fetched properties are none.
    @inlinable
    public var isRelationship: Bool { self == .toOne || self == .toMany }
}
