import Foundation

/// The operators that a key path may apply to a collection. (Apple: Key-Value Coding Programming Guide, Using
/// Collection Operators.)
package enum CollectionOperator: String, Sendable, CaseIterable {
    case count, sum, avg, min, max
    case unionOfObjects, distinctUnionOfObjects
    case unionOfArrays, distinctUnionOfArrays
    case unionOfSets, distinctUnionOfSets

    /// The operator that a key stands for, with its `@`.
    package init?(_ key: String) {
        self.init(rawValue: String(key.dropFirst()))
    }

    /// The value of the operator over the values that the elements have at the path.
    func apply(
        to collection: Any, path: ParsedKeyPath, _ strictness: KeyValueAccess.Strictness
    ) throws -> Any? {
        guard let elements = Elements(collection) else {
            // `@sum.items.price` of an object means the items' prices.
            guard let nested = try KeyValueAccess.value(of: collection, at: path, strictness),
                Elements(nested) != nil
            else { throw UndefinedKeyError(collection, key: "@" + rawValue) }
            return try apply(to: nested, path: ParsedKeyPath(keys: []), strictness)
        }
        let values = try elements.values.compactMap { element -> Any? in
            let value = try KeyValueAccess.value(of: element, at: path, strictness)
            return isNull(value) ? nil : value
        }
        switch self {
        case .count: return NSNumber(value: elements.values.count)
        case .sum: return Arithmetic.sum(Self.numbers(values)).number
        case .avg: return Arithmetic.average(Self.numbers(values))?.number
        case .min: return Self.extreme(values, .orderedAscending)
        case .max: return Self.extreme(values, .orderedDescending)
        case .unionOfObjects: return values
        case .distinctUnionOfObjects: return Self.distinct(values, as: elements.kind)
        case .unionOfArrays, .unionOfSets: return Self.joined(values)
        case .distinctUnionOfArrays: return Self.distinct(Self.joined(values), as: .array)
        case .distinctUnionOfSets: return Self.distinct(Self.joined(values), as: .set)
        }
    }

    private static func numbers(_ values: [Any]) -> [NumericValue] {
        values.compactMap { NumericValue($0) }
    }

    private static func joined(_ values: [Any]) -> [Any] {
        values.flatMap { Elements($0)?.values ?? [] }
    }

    /// The first of the values that no other precedes, or follows.
    static func extreme(_ values: [Any], _ wanted: ComparisonResult) -> Any? {
        var best: (value: Any, evaluated: EvaluatedValue)?
        for value in values {
            let evaluated = EvaluatedValue(value)
            guard !evaluated.isNull else { continue }
            if let known = best {
                guard ValueComparison.order(evaluated, known.evaluated) == wanted else { continue }
            }
            best = (value, evaluated)
        }
        return best?.value
    }

    /// The values without those that occurred before. A set stays a set; everything else becomes an array.
    static func distinct(_ values: [Any], as kind: Elements.Kind) -> Any {
        var seen: Set<ValueIdentity.Key> = []
        let distinct = values.filter { value in
            guard let key = ValueIdentity.key(value) else { return true }
            return seen.insert(key).inserted
        }
        return Elements(kind: kind == .set ? .set : .array, values: distinct).rebuilt(distinct)
    }
}
