@_spi(Engine) import CoreDataRows
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// How a mapping's attributes get their values in the objects made from one source entity, worked out once for all of them.
struct AttributePlan {
    enum Step {
        /// A mapping that is just `$source.key`, of values that both rows hold in the same form.
        case copy(PropertyLayout, to: PropertyLayout)
        /// The same of a composite attribute, by its elements.
        case copyElements([Copy])
        /// The same for archived values: their bytes are taken over as they are.
        ///
        /// Nothing has to be able to read them then: their transformer, or the classes in the archive, may be the app's, and a
        /// value that can't be read must not be lost. Where there is none the destination's default may be wanted.
        case copyArchive(PropertyLayout, to: PropertyLayout, else: NSPropertyMapping)
        case evaluate(NSPropertyMapping)
    }

    /// A value that both rows hold in the same form, or as numbers of two types; an element of a composite attribute may be one.
    struct Copy {
        let source: PropertyLayout
        let destination: PropertyLayout
        /// Whether the default stays where there is no value, as there has to be one.
        let keepsDefault: Bool

        /// A value of the source as the destination holds it.
        func converted(_ value: FieldValue) -> FieldValue {
            guard source.kind != destination.kind else { return value }
            return FieldValue(value.anyValue(of: source), kind: destination.kind) ?? .null
        }
    }

    let steps: [Step]
    private let mappings: [NSPropertyMapping]
    private let names: [String?]
    private let expressions: [NSExpression?]

    init(_ mappings: [NSPropertyMapping], from source: EntityLayout, to destination: EntityLayout) {
        self.mappings = mappings
        names = mappings.map(\.name)
        expressions = mappings.map(\.valueExpression)
        steps = mappings.compactMap { mapping in
            guard let name = mapping.name, let expression = mapping.valueExpression else { return nil }
            guard let to = destination.property(named: name),
                let from = Self.sourceKey(of: expression).flatMap(source.property(named:)), from.kind == to.kind
            else { return .evaluate(mapping) }
            if to.kind == .composite { return .copyElements(Self.elements(from, to)) }
            guard to.rowSlot >= 0, from.rowSlot >= 0 else { return .evaluate(mapping) }
            switch to.kind {
            case .transformable:
                return Self.transformer(of: from) == Self.transformer(of: to)
                    ? .copyArchive(from, to: to, else: mapping) : .evaluate(mapping)
            case .int16, .int32, .int64, .double, .float, .decimal, .string, .bool, .date, .data, .uuid, .uri:
                return .copy(from, to: to)
            case .objectID, .undefined, .composite, .fetched, .toOne, .toMany:
                return .evaluate(mapping)
            }
        }
    }

    /// Whether these are the mappings that the plan was made of: a policy may have changed them since.
    func isFor(_ others: [NSPropertyMapping]) -> Bool {
        guard others.count == mappings.count else { return false }
        for (place, other) in others.enumerated() {
            guard other === mappings[place], other.valueExpression === expressions[place], other.name == names[place]
            else { return false }
        }
        return true
    }

    private static func elements(_ source: PropertyLayout, _ destination: PropertyLayout) -> [Copy] {
        destination.elements.flatMap { element -> [Copy] in
            guard let former = source.element(thatBecomes: element, of: destination) else { return [] }
            if former.kind != element.kind {
                guard let before = former.attribute?.attributeType, let after = element.attribute?.attributeType,
                    before.widens(to: after)
                else { return [] }
            }
            if element.kind == .composite { return elements(former, element) }
            return [
                Copy(
                    source: former, destination: element, keepsDefault: former.isOptional && !element.isOptional)
            ]
        }
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
