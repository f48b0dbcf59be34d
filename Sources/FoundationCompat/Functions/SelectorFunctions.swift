import Foundation

/// The methods of Foundation's value classes that `FUNCTION(object, "selector:", …)` may call.
enum SelectorFunctions {
    static func value(
        of object: Any?, selector: String, _ arguments: [Any?], _ strictness: KeyValueAccess.Strictness
    ) throws -> Any? {
        // A message to nil answers nil.
        guard let object, !isNull(object) else { return nil }
        if let performer = object as? any SelectorPerforming {
            return try performer.perform(selector: selector, arguments: arguments)
        }
        if type(of: object) is AnyClass,
            let declared = try DeclaredMethods.call(selector, of: object as AnyObject, arguments)
        {
            return declared.value
        }
        guard arguments.count == selector.count(where: { $0 == ":" }) else {
            throw UnknownSelectorError(object, selector: selector)
        }
        let evaluated = arguments.map { EvaluatedValue($0) }
        if let found = try general(object, selector, arguments, strictness) { return found.value }
        switch (EvaluatedValue(object), evaluated.first) {
        case (.string(let text), .string(let argument)?):
            if let found = string(text, selector, argument) { return found.value }
        case (.string(let text), .number(let argument)?):
            if let found = string(text, selector, argument) { return found.value }
        case (.date(let left), .date(let right)?) where selector == "timeIntervalSinceDate:":
            return NSNumber(value: left - right)
        case (.date(let left), .number(let right)?)
        where selector == "dateByAddingTimeInterval:" || selector == "addTimeInterval:":
            return Date(timeIntervalSinceReferenceDate: left + right.doubleValue)
        case (.collection(let collection), let argument):
            if let found = self.collection(collection, selector, argument, arguments) { return found.value }
        default:
            break
        }
        throw UnknownSelectorError(object, selector: selector)
    }

    private static func general(
        _ object: Any, _ selector: String, _ arguments: [Any?], _ strictness: KeyValueAccess.Strictness
    ) throws -> ValueProperties.Found? {
        switch selector {
        case "valueForKey:", "valueForKeyPath:":
            guard case .string(let path) = EvaluatedValue(arguments[0]) else {
                throw UnknownSelectorError(object, selector: selector)
            }
            let parsed = selector == "valueForKey:" ? ParsedKeyPath(keys: [path]) : ParsedKeyPath(path)
            return ValueProperties.Found(value: try KeyValueAccess.value(of: object, at: parsed, strictness))
        case "isEqual:", "isEqualToString:", "isEqualToNumber:", "isEqualToDate:", "isEqualToArray:",
            "isEqualToSet:":
            let same = ValueComparison.areEqual(EvaluatedValue(object), EvaluatedValue(arguments[0]))
            return ValueProperties.Found(value: NSNumber(value: same))
        case _ where arguments.isEmpty:
            return try ValueProperties.value(of: object, forKey: selector)
        default:
            return nil
        }
    }

    private static func string(
        _ text: String, _ selector: String, _ argument: String
    ) -> ValueProperties.Found? {
        switch selector {
        case "hasPrefix:": return found(StringComparison.beginsWith(text, argument, []))
        case "hasSuffix:": return found(StringComparison.endsWith(text, argument, []))
        case "containsString:": return found(StringComparison.contains(text, argument, []))
        case "localizedCaseInsensitiveContainsString:":
            return found(StringComparison.contains(text, argument, .caseInsensitive))
        case "localizedStandardContainsString:":
            return found(StringComparison.contains(text, argument, [.caseInsensitive, .diacriticInsensitive]))
        case "stringByAppendingString:": return .init(value: text + argument)
        case "stringByAppendingPathComponent:":
            return .init(value: (text as NSString).appendingPathComponent(argument))
        case "componentsSeparatedByString:": return .init(value: text.components(separatedBy: argument))
        default: return nil
        }
    }

    private static func found(_ flag: Bool) -> ValueProperties.Found {
        .init(value: NSNumber(value: flag))
    }

    private static func string(
        _ text: String, _ selector: String, _ argument: NumericValue
    ) -> ValueProperties.Found? {
        let units = Array(text.utf16)
        guard let place = argument.int64Value, place >= 0, place <= units.count else { return nil }
        switch selector {
        case "substringFromIndex:": return .init(value: String(decoding: units[Int(place)...], as: UTF16.self))
        case "substringToIndex:": return .init(value: String(decoding: units[..<Int(place)], as: UTF16.self))
        default: return nil
        }
    }

    private static func collection(
        _ collection: Any, _ selector: String, _ argument: EvaluatedValue?, _ arguments: [Any?]
    ) -> ValueProperties.Found? {
        guard let elements = Elements(collection) else { return nil }
        switch selector {
        case "count": return .init(value: NSNumber(value: elements.values.count))
        case "firstObject", "anyObject": return .init(value: elements.values.first)
        case "lastObject": return .init(value: elements.values.last)
        case "allObjects", "array", "allValues": return .init(value: elements.values)
        case "containsObject:":
            guard let argument else { return nil }
            return found(
                elements.values.contains { ValueComparison.areEqual(EvaluatedValue($0), argument) })
        case "objectAtIndex:":
            guard case .number(let number)? = argument, let place = number.int64Value else { return nil }
            let exists = elements.values.indices.contains(Int(place))
            return .init(value: exists ? elements.values[Int(place)] : nil)
        case "objectForKey:":
            guard let dictionary = collection as? NSDictionary else { return nil }
            return .init(value: arguments[0].flatMap { ValueIdentity.entry(of: dictionary, for: $0) })
        case "componentsJoinedByString:":
            guard case .string(let separator)? = argument else { return nil }
            return .init(value: elements.values.map { "\($0)" }.joined(separator: separator))
        default: return nil
        }
    }
}
