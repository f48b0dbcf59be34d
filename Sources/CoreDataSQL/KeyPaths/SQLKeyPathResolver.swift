@_spi(Engine) import CoreDataRows

/// Follows key paths through the entities of a model and makes the joins that they need.
struct SQLKeyPathResolver {
    let scope: SQLScope
    /// The entities that objects are known to be of, by the path that leads to them.
    var casts: [[String]: EntityLayout] = [:]

    func resolve(_ keys: ArraySlice<String>) throws -> SQLKeyPathTarget {
        var position = Position(
            key: scope.primaryKey, entity: scope.entity, alias: scope.alias, isOptional: false, incoming: nil)
        narrow(&position, at: [])
        var rest = keys
        while let key = rest.popFirst() {
            switch try step(key, from: &position, rest: rest, whole: keys) {
            case .on: narrow(&position, at: keys[..<rest.startIndex])
            case .arrived(let target): return target
            }
        }
        return .object(key: position.key, position.entity)
    }

    private func narrow(_ position: inout Position, at path: ArraySlice<String>) {
        guard !casts.isEmpty, let entity = casts[Array(path)], entity.isKind(of: position.entity) else { return }
        position.entity = entity
    }

    /// Where the path has got to: an object, with its row joined only when one of its columns is needed.
    private struct Position {
        var key: SQLFragment
        var entity: EntityLayout
        var alias: String?
        var isOptional: Bool
        /// The to-one that led here: the alias of the rows that hold its column, and the column.
        var incoming: (alias: String, column: String)?
    }

    private enum Step {
        case on
        case arrived(SQLKeyPathTarget)
    }

    private func step(
        _ key: String, from position: inout Position, rest: ArraySlice<String>, whole: ArraySlice<String>
    ) throws -> Step {
        if let property = position.entity.property(named: key) {
            return try step(to: property, from: &position, rest: rest, whole: whole)
        }
        switch key {
        case "self", "SELF", "objectID":
            return .on
        case "entity":
            let number = scope.dialect.column(scope.schema.entityColumn, of: try alias(of: &position))
            if rest.isEmpty { return .arrived(.entity(number: number, position.entity)) }
            if rest.elementsEqual(["name"]) { return .arrived(.entityName(number: number, position.entity)) }
            throw SQLQueryError.unsupported("The key path \"\(whole.joined(separator: "."))\" in SQL")
        default:
            throw SQLQueryError.unknownKeyPath(whole, key: key, in: position.entity)
        }
    }

    private func step(
        to property: PropertyLayout, from position: inout Position, rest: ArraySlice<String>, whole: ArraySlice<String>
    ) throws -> Step {
        if property.isTransient {
            throw SQLQueryError.transient(property, keyPath: whole)
        }
        switch property.kind {
        case .toOne:
            try follow(property, from: &position)
            return .on
        case .toMany:
            return .arrived(
                .toMany(
                    SQLToManyPath(
                        ownerKey: position.key, ownerIsOptional: position.isOptional, relationship: property,
                        destination: try destination(of: property), rest: rest)))
        case .composite:
            return .arrived(try element(of: property, rest: rest, position: &position, whole: whole))
        case .fetched, .undefined, .objectID:
            throw SQLQueryError.unsupported(
                "\(property.owner.name).\(property.name) (a \(property.kind) property) in the key path "
                    + "\"\(whole.joined(separator: "."))\" in SQL")
        default:
            if let key = rest.first {
                throw SQLQueryError.beyondAttribute(property, key: key, keyPath: whole)
            }
            return .arrived(.attribute(try column(of: property, in: alias(of: &position)), property))
        }
    }

    private func element(
        of composite: PropertyLayout, rest: ArraySlice<String>, position: inout Position, whole: ArraySlice<String>
    ) throws -> SQLKeyPathTarget {
        var composite = composite
        var rest = rest
        while let key = rest.popFirst() {
            guard let element = composite.elements.first(where: { $0.name == key }) else {
                throw SQLQueryError.unknownElement(key, of: composite, keyPath: whole)
            }
            if element.kind != .composite {
                if let key = rest.first { throw SQLQueryError.beyondAttribute(element, key: key, keyPath: whole) }
                return .attribute(try column(of: element, in: alias(of: &position)), element)
            }
            composite = element
        }
        return .composite(composite)
    }

    private func follow(_ relationship: PropertyLayout, from position: inout Position) throws {
        let alias = try alias(of: &position)
        guard let column = try scope.schema.column(of: relationship) else {
            throw SQLQueryError.noColumn(relationship)
        }
        position = Position(
            key: scope.dialect.column(column, of: alias), entity: try destination(of: relationship), alias: nil,
            isOptional: true,
            incoming: (alias, column))
    }

    private func alias(of position: inout Position) throws -> String {
        if let alias = position.alias { return alias }
        guard let incoming = position.incoming else { return scope.alias }
        let alias = try scope.join(to: position.entity, from: incoming.alias, column: incoming.column)
        position.alias = alias
        return alias
    }

    private func column(of property: PropertyLayout, in alias: String) throws -> SQLFragment {
        guard let column = try scope.schema.column(of: property) else {
            throw SQLQueryError.noColumn(property)
        }
        return scope.dialect.value(scope.dialect.column(column, of: alias), of: property.kind)
    }

    private func destination(of relationship: PropertyLayout) throws -> EntityLayout {
        guard let destination = relationship.destination else {
            throw SQLQueryError.unsupported(
                "\(relationship.owner.name).\(relationship.name), whose destination entity is missing,")
        }
        return destination
    }
}
