/// The types of the standard library, Foundation and Core Data that properties have, and where they are declared.
///
/// Which module of Foundation a type is in was read off the symbols that the Swift 6.3 compiler makes on Linux.
enum KnownTypes {
    /// The type that a name stands for, where no type of the program takes the name.
    static func type(named name: String) -> SwiftType? {
        types[name]
    }

    /// The generic types, which need arguments.
    static func generic(named name: String) -> NominalType? {
        generics[name]
    }

    static func isKnown(_ name: String) -> Bool { types[name] != nil || generics[name] != nil }

    /// The modules whose types are known. A name in front of a dot is looked for among them.
    static let modules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "CoreData", "FoundationCompat", "ManagedObjectModel",
    ]

    private static let types: [String: SwiftType] = {
        var types = aliases
        for (module, kind, names) in declarations {
            for name in names.split(separator: " ") {
                let nominal = NominalType(module, String(name), kind)
                let type =
                    kind == .protocol ? .existential(protocols: [nominal], superclass: nil) : SwiftType.nominal(nominal)
                types[String(name)] = type
            }
        }
        return types
    }()

    private static let aliases: [String: SwiftType] = [
        "Void": .void, "Any": .any, "AnyObject": .anyObject,
        "TimeInterval": .nominal(NominalType("Swift", "Double", .struct)),
        "Float32": .nominal(NominalType("Swift", "Float", .struct)),
        "Float64": .nominal(NominalType("Swift", "Double", .struct)),
        "NSRange": .nominal(NominalType("Foundation", "_NSRange", .struct)),
        "NSPoint": .nominal(NominalType("Foundation", "CGPoint", .struct)),
        "NSSize": .nominal(NominalType("Foundation", "CGSize", .struct)),
        "NSRect": .nominal(NominalType("Foundation", "CGRect", .struct)),
    ]

    private static let generics: [String: NominalType] = [
        "Array": NominalType("Swift", "Array", .struct),
        "ArraySlice": NominalType("Swift", "ArraySlice", .struct),
        "ClosedRange": NominalType("Swift", "ClosedRange", .struct),
        "ContiguousArray": NominalType("Swift", "ContiguousArray", .struct),
        "Dictionary": NominalType("Swift", "Dictionary", .struct),
        "Measurement": NominalType("Foundation", "Measurement", .struct),
        "NSFetchRequest": NominalType("ManagedObjectModel", "NSFetchRequest", .class),
        "Range": NominalType("Swift", "Range", .struct),
        "Set": NominalType("Swift", "Set", .struct),
    ]

    private static let declarations: [(module: String, kind: NominalType.Kind, names: String)] = [
        (
            "Swift", .struct,
            """
            AnyHashable Bool Character Double Duration Float Float16 Float80 Int Int128 Int16 Int32 Int64 Int8 \
            ObjectIdentifier StaticString String Substring UInt UInt128 UInt16 UInt32 UInt64 UInt8
            """
        ),
        ("Swift", .enum, "FloatingPointSign Never"),
        (
            "Swift", .protocol,
            """
            CustomStringConvertible Decodable Encodable Error Sendable
            """
        ),
        (
            "FoundationEssentials", .struct,
            """
            AttributedString Calendar Data Date DateComponents DateInterval Decimal IndexPath Locale TimeZone URL \
            URLComponents URLQueryItem UUID
            """
        ),
        ("FoundationEssentials", .enum, "ComparisonResult SortOrder"),
        ("FoundationEssentials", .class, "FileManager JSONEncoder PropertyListEncoder"),
        (
            "Foundation", .struct,
            """
            CGFloat CGPoint CGRect CGSize CharacterSet IndexSet Morphology Notification PersonNameComponents
            """
        ),
        (
            "Foundation", .class,
            """
            Bundle ByteCountFormatter DateFormatter Dimension NSArray NSAttributedString NSCalendar NSCharacterSet \
            NSCountedSet NSData NSDate NSDateComponents NSDateInterval NSDecimalNumber NSDictionary NSError \
            NSIndexPath NSIndexSet NSLocale NSMeasurement NSMutableArray NSMutableAttributedString NSMutableData \
            NSMutableDictionary NSMutableIndexSet NSMutableOrderedSet NSMutableSet NSMutableString NSNotification \
            NSNull NSNumber NSObject NSOrderedSet NSPersonNameComponents NSRegularExpression NSSet NSString NSTimeZone \
            NSURL NSUUID NSValue NumberFormatter Operation OperationQueue Progress Thread Unit UnitAngle UnitArea \
            UnitDuration UnitEnergy UnitLength UnitMass UnitPower UnitPressure UnitSpeed UnitTemperature UnitVolume \
            UserDefaults
            """
        ),
        ("Foundation", .protocol, "NSCoding NSCopying NSMutableCopying NSObjectProtocol NSSecureCoding"),
        ("FoundationCompat", .class, "NSExpression NSPredicate NSSortDescriptor UndoManager ValueTransformer"),
        ("FoundationCompat", .class, "NSComparisonPredicate NSCompoundPredicate"),
        (
            "ManagedObjectModel", .class,
            """
            NSAttributeDescription NSEntityDescription NSManagedObjectModel NSPropertyDescription \
            NSRelationshipDescription
            """
        ),
        (
            "CoreData", .class,
            """
            NSManagedObject NSManagedObjectContext NSManagedObjectID NSPersistentStore NSPersistentStoreCoordinator
            """
        ),
    ]
}
