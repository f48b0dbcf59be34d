import CoreData
import Foundation

/// Makes predicates and orders over any entity of a model, at random, from what its properties are.
package struct RandomPredicates {
    package var values: RandomValues
    /// Objects to compare with.
    package let objects: [NSManagedObject]

    package init(seed: UInt64, objects: [NSManagedObject]) {
        values = RandomValues(seed: seed)
        self.objects = objects
    }

    private struct Format {
        var text = ""
        var arguments: [Any] = []
    }

    private static let relations = ["==", "!=", "<", "<=", ">", ">="]
    private static let options = ["", "", "[c]", "[d]", "[cd]", "[n]"]

    package mutating func predicate(over entity: NSEntityDescription, depth: Int = 2) -> NSPredicate {
        let format = condition(entity, depth)
        return NSPredicate(format: format.text, argumentArray: format.arguments)
    }

    package mutating func sortDescriptors(of entity: NSEntityDescription) -> [NSSortDescriptor] {
        (0...Int(values.random.next() % 3)).compactMap { _ in
            guard let (path, attribute) = attributePath(entity), attribute.attributeType != .transformableAttributeType
            else {
                return nil
            }
            let selector =
                attribute.attributeType == .stringAttributeType
                ? values.pick([
                    "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
                    "localizedStandardCompare:",
                ]) : "compare:"
            return NSSortDescriptor(key: path, ascending: values.chance(50), selector: Selector(selector))
        }
    }

    private mutating func condition(_ entity: NSEntityDescription, _ depth: Int) -> Format {
        guard depth > 0, values.chance(45) else { return comparison(entity) }
        let left = condition(entity, depth - 1)
        if values.chance(25) { return Format(text: "NOT (\(left.text))", arguments: left.arguments) }
        let right = condition(entity, depth - 1)
        let joint = values.pick(["AND", "OR"])
        return Format(text: "(\(left.text) \(joint) \(right.text))", arguments: left.arguments + right.arguments)
    }

    private mutating func comparison(_ entity: NSEntityDescription) -> Format {
        switch values.random.next() % 10 {
        case 0...4:
            if let (path, attribute) = attributePath(entity) { return comparison(path, attribute) }
        case 5: return identity(entity)
        case 6, 7: if let format = quantified(entity) { return format }
        case 8: if let format = aggregate(entity) { return format }
        default: if let format = subquery(entity) { return format }
        }
        return Format(text: "entity == %@", arguments: [entity])
    }

    // MARK: Paths

    /// A path to an attribute, over to-ones.
    private mutating func attributePath(_ entity: NSEntityDescription, depth: Int = 2) -> (
        String, NSAttributeDescription
    )? {
        let toOnes = relationships(entity, toMany: false)
        if depth > 0, !toOnes.isEmpty, values.chance(35) {
            let toOne = values.pick(toOnes)
            guard let destination = toOne.destinationEntity,
                let (path, attribute) = attributePath(destination, depth: depth - 1)
            else { return nil }
            return ("\(toOne.name).\(path)", attribute)
        }
        let attributes = entity.properties.compactMap { $0 as? NSAttributeDescription }.filter { !$0.isTransient }
            .sorted { $0.name < $1.name }
        guard !attributes.isEmpty else { return nil }
        let attribute = values.pick(attributes)
        guard let composite = attribute as? NSCompositeAttributeDescription else { return (attribute.name, attribute) }
        let element = values.pick(composite.elements)
        return ("\(attribute.name).\(element.name)", element)
    }

    private func relationships(_ entity: NSEntityDescription, toMany: Bool) -> [NSRelationshipDescription] {
        entity.properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.isToMany == toMany }
            .sorted { $0.name < $1.name }
    }

    // MARK: Comparisons

    private mutating func comparison(_ path: String, _ attribute: NSAttributeDescription) -> Format {
        func one(_ value: Any?) -> Any { value ?? NSNull() }
        if attribute.attributeType == .transformableAttributeType {
            return Format(
                text: "\(path) \(values.pick(["==", "!="])) %@",
                arguments: [values.chance(20) ? NSNull() : one(values.value(of: attribute))])
        }
        if attribute.attributeType == .stringAttributeType, values.chance(50) { return text(path) }
        switch values.random.next() % 6 {
        case 0:
            let count = values.chance(10) ? 3000 : Int(values.random.next() % 4)
            return Format(text: "\(path) IN %@", arguments: [(0..<count).map { _ in one(values.value(of: attribute)) }])
        case 1:
            return Format(
                text: "\(path) BETWEEN %@",
                arguments: [[one(values.value(of: attribute)), one(values.value(of: attribute))]])
        case 2:
            return Format(
                text: "%@ \(values.pick(Self.relations)) \(path)", arguments: [one(values.value(of: attribute))])
        case 3: return Format(text: "\(path) \(values.pick(["==", "!="])) nil")
        default:
            return Format(
                text: "\(path) \(values.pick(Self.relations)) %@", arguments: [one(values.value(of: attribute))])
        }
    }

    private mutating func text(_ path: String) -> Format {
        let option = values.pick(Self.options)
        let strings = RandomValues.strings
        switch values.random.next() % 8 {
        case 0:
            return Format(
                text: "\(path) MATCHES\(option) %@", arguments: [values.pick(["a.*", "[a-z]+", "(a|b)B?", "é", "."])])
        case 1:
            return Format(text: "\(path) LIKE\(option) %@", arguments: [values.pick(strings + ["*", "?", "a*", "*b"])])
        case 2:
            return Format(
                text: "\(values.pick(["uppercase", "lowercase", "canonical"]))(\(path)) == %@",
                arguments: [values.pick(strings)])
        case 3:
            return Format(text: "\(path) IN\(option) %@", arguments: [[values.pick(strings), values.pick(strings)]])
        case 4:
            return Format(text: "\(path) \(values.pick(Self.relations))\(option) %@", arguments: [values.pick(strings)])
        default:
            let function = values.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS"])
            return Format(text: "\(path) \(function)\(option) %@", arguments: [values.pick(strings)])
        }
    }

    private mutating func identity(_ entity: NSEntityDescription) -> Format {
        let relation = values.pick(["==", "!="])
        let paths = ["SELF"] + relationships(entity, toMany: false).map(\.name)
        let path = values.pick(paths)
        switch values.random.next() % 5 {
        case 0: return Format(text: "\(path) \(relation) nil")
        case 1:
            let count = values.chance(20) ? 300 : 3
            return Format(text: "\(path) IN %@", arguments: [(0..<count).map { _ in values.pick(objects) }])
        case 2: return Format(text: "\(path) \(relation) %@", arguments: [values.pick(objects).objectID])
        case 3: return Format(text: "entity \(relation) %@", arguments: [values.pick(objects).entity])
        default: return Format(text: "\(path) \(relation) %@", arguments: [values.pick(objects)])
        }
    }

    // MARK: Collections

    /// A path to a to-many, possibly over a to-one.
    private mutating func collection(_ entity: NSEntityDescription) -> (String, NSEntityDescription)? {
        if values.chance(25), let toOne = relationships(entity, toMany: false).randomElement(using: &values.random),
            let destination = toOne.destinationEntity,
            let toMany = relationships(destination, toMany: true).randomElement(using: &values.random)
        {
            return toMany.destinationEntity.map { ("\(toOne.name).\(toMany.name)", $0) }
        }
        guard let toMany = relationships(entity, toMany: true).randomElement(using: &values.random) else { return nil }
        return toMany.destinationEntity.map { (toMany.name, $0) }
    }

    private mutating func quantified(_ entity: NSEntityDescription) -> Format? {
        guard let (path, destination) = collection(entity) else { return nil }
        let quantifier = values.pick(["ANY", "ALL", "NONE"])
        if values.chance(20) { return Format(text: "\(quantifier) \(path) == %@", arguments: [values.pick(objects)]) }
        guard let (key, attribute) = attributePath(destination, depth: 1) else { return nil }
        let value = values.value(of: attribute) ?? NSNull()
        let relations = attribute.attributeType == .transformableAttributeType ? ["==", "!="] : Self.relations
        return Format(text: "\(quantifier) \(path).\(key) \(values.pick(relations)) %@", arguments: [value])
    }

    private mutating func aggregate(_ entity: NSEntityDescription) -> Format? {
        guard let (path, destination) = collection(entity) else { return nil }
        let number = NSNumber(value: values.random.next() % 4)
        if values.chance(40) {
            return Format(text: "\(path).@count \(values.pick(Self.relations)) %@", arguments: [number])
        }
        let numbers = destination.properties.compactMap { $0 as? NSAttributeDescription }.filter {
            [.integer16AttributeType, .integer32AttributeType, .doubleAttributeType, .decimalAttributeType]
                .contains($0.attributeType) && !$0.isTransient
        }.sorted { $0.name < $1.name }
        guard let attribute = numbers.randomElement(using: &values.random) else { return nil }
        let function = values.pick(["@sum", "@min", "@max", "@avg"])
        return Format(
            text: "\(path).\(function).\(attribute.name) \(values.pick(Self.relations)) %@", arguments: [number])
    }

    private mutating func subquery(_ entity: NSEntityDescription) -> Format? {
        guard let (path, destination) = collection(entity), let (key, attribute) = attributePath(destination, depth: 1)
        else { return nil }
        let inner = comparison("$x.\(key)", attribute)
        return Format(
            text: "SUBQUERY(\(path), $x, \(inner.text)).@count \(values.pick(Self.relations)) %@",
            arguments: inner.arguments + [NSNumber(value: values.random.next() % 3)])
    }
}
