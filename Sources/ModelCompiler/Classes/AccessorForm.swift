/// How the value of a property is read and written: which of the typed accessors of `NSManagedObject` fits its type.
indirect enum AccessorForm: Hashable {
    /// An integer of any width.
    case integer
    case bool
    /// A floating-point number of any width.
    case floatingPoint
    case string
    /// A type that has accessors of its own, such as "date".
    case value(String)
    /// An enum over integers or strings, with the case that stands for raw values that it doesn't have.
    case rawValue(AccessorForm, rawType: String, fallback: String?)
    /// A class that is known to be one of managed objects.
    case object
    /// A set of such objects.
    case objectSet
    /// Anything else: what the property is decides when the program runs.
    case general

    private static let integers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]
    private static let values = ["Date": "date", "Data": "data", "UUID": "uuid", "URL": "url", "Decimal": "decimal"]

    /// The form for a type of a program.
    init(_ type: SwiftType, in index: TypeIndex) {
        if case .bound(NominalType("Swift", "Set", .struct), let elements) = type, let element = elements.first,
            AccessorForm(element, in: index) == .object
        {
            self = .objectSet
            return
        }
        guard case .nominal(let nominal) = type else {
            self = .general
            return
        }
        self = Self.standard(nominal) ?? Self.declared(nominal, in: index)
    }

    /// The form for the type of a property that Xcode's rules give one.
    init(_ property: EntityClass.Property, typeName: String) {
        switch (property.kind, KnownTypes.type(named: typeName)) {
        case (.toOne, _): self = .object
        case (.attribute, .nominal(let nominal)): self = Self.standard(nominal) ?? .general
        case (.attribute, _), (.toMany, _), (.fetched, _): self = .general
        }
    }

    /// The form for a type of the standard library or Foundation.
    private static func standard(_ nominal: NominalType) -> AccessorForm? {
        let name = nominal.name
        return switch nominal.module {
        case "Swift" where integers.contains(name): .integer
        case "Swift" where name == "Bool": .bool
        case "Swift" where name == "Double" || name == "Float": .floatingPoint
        case "Swift" where name == "String": .string
        case "Foundation" where name == "CGFloat": .floatingPoint
        case "FoundationEssentials": values[name].map { .value($0) }
        case "CoreData" where name == "NSManagedObject": .object
        default: nil
        }
    }

    private static func declared(_ nominal: NominalType, in index: TypeIndex) -> AccessorForm {
        let path = nominal.path.map(\.name)
        guard let module = index.module(named: nominal.module), let declared = module[path] else { return .general }
        switch nominal.kind {
        case .class: return index.isManagedObject(path, in: module) ? .object : .general
        case .enum:
            let resolver = TypeResolver(index: index, module: module, enclosing: module.enclosing(declared.scope))
            // A type that can't be resolved is one whose properties get the general accessors, which take any.
            guard let first = declared.inherited.first, let raw = try? resolver.resolve(first) else { return .general }
            let form = AccessorForm(raw, in: index)
            guard form == .integer || form == .string else { return .general }
            return .rawValue(form, rawType: TypeSpelling(index).spell(raw), fallback: declared.firstCase)
        case .struct, .protocol: return .general
        }
    }

    // MARK: - Expressions

    /// The expression that reads the value of a type, optional or not.
    func reading(_ type: String, isOptional: Bool, key: String) -> String {
        let required = { (value: String) in "requiredValue(\(value), for: \(key))" }
        switch self {
        case .integer:
            return isOptional
                ? "integerValue(for: \(key)).map { \(type)(truncatingIfNeeded: $0) }"
                : "\(type)(truncatingIfNeeded: integerValue(for: \(key)) ?? 0)"
        case .bool:
            return isOptional ? "integerValue(for: \(key)).map { $0 != 0 }" : "(integerValue(for: \(key)) ?? 0) != 0"
        case .floatingPoint:
            return isOptional
                ? "doubleValue(for: \(key)).map { \(type)($0) }" : "\(type)(doubleValue(for: \(key)) ?? 0)"
        case .string: return "stringValue(for: \(key))" + (isOptional ? "" : " ?? \"\"")
        case .value("data"): return "dataValue(for: \(key))" + (isOptional ? "" : " ?? Data()")
        case .value("decimal"): return "decimalValue(for: \(key))" + (isOptional ? "" : " ?? 0")
        case .value(let name):
            let value = "\(name)Value(for: \(key))"
            return isOptional ? value : required(value)
        case .rawValue(let raw, let rawType, let fallback):
            let rawValue =
                raw == .integer
                ? "integerValue(for: \(key)).flatMap { \(rawType)(exactly: $0) }"
                : raw.reading(rawType, isOptional: true, key: key)
            let value = "\(rawValue).flatMap { \(type)(rawValue: $0) }"
            if isOptional { return value }
            return fallback.map { "\(value) ?? .\($0)" } ?? required(value)
        case .object:
            // The type follows from the result: named here, it could be taken for a property of that name.
            let value = "objectValue(for: \(key))"
            return isOptional ? value : required(value)
        case .objectSet:
            let value = "objectSet(for: \(key))"
            return isOptional ? value : required(value)
        case .general:
            let value = "value(for: \(key))"
            return isOptional ? value : required(value)
        }
    }

    /// The statement that writes the value of a name, optional or not.
    func writing(_ value: String, isOptional: Bool, key: String) -> String {
        switch self {
        case .integer:
            let converted =
                isOptional ? "\(value).map { Int64(truncatingIfNeeded: $0) }" : "Int64(truncatingIfNeeded: \(value))"
            return "setIntegerValue(\(converted), for: \(key))"
        case .bool:
            return "setIntegerValue(\(isOptional ? "\(value).map { $0 ? 1 : 0 }" : "\(value) ? 1 : 0"), for: \(key))"
        case .floatingPoint:
            return "setDoubleValue(\(isOptional ? "\(value).map { Double($0) }" : "Double(\(value))"), for: \(key))"
        case .string: return "setStringValue(\(value), for: \(key))"
        case .value(let name):
            return
                "set\(name == "uuid" || name == "url" ? name.uppercased() : name.capitalized)Value(\(value), for: \(key))"
        case .rawValue(let raw, _, _):
            let rawValue = isOptional ? "(\(value)?.rawValue)" : "\(value).rawValue"
            return raw.writing(rawValue, isOptional: isOptional, key: key)
        case .object: return "setObjectValue(\(value), for: \(key))"
        case .objectSet, .general: return "setGeneralValue(\(value), for: \(key))"
        }
    }
}
