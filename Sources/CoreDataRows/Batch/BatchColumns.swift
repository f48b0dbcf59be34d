import Foundation
import FoundationCompat
import ManagedObjectModel

/// What a batch request may set of an entity: names and values, checked and turned into what a row holds.
package struct BatchColumns {
    package let layout: EntityLayout
    private let identity: @Sendable (Any) -> StoredIdentity?
    private let request: String

    /// - Parameters:
    ///   - identity: the row that an object or object ID stands for.
    ///   - request: the kind of request, for errors.
    package init(_ layout: EntityLayout, identity: @escaping @Sendable (Any) -> StoredIdentity?, request: String) {
        self.layout = layout
        self.identity = identity
        self.request = request
    }

    /// What a batch update sets, by the names of its properties.
    ///
    /// - Parameter properties: values and expressions by names or property descriptions.
    /// - Throws: an error that names what can't be set.
    package func assignments(_ properties: [AnyHashable: Any]) throws -> [(property: PropertyLayout, value: Any)] {
        let named = try properties.map { (try Self.name(of: $0.key), $0.value) }
        return try named.sorted { $0.0 < $1.0 }.map { (try property($0.0), $0.1) }
    }

    /// The error of a batch update without a column.
    package var setsNothing: NSError {
        CoreDataError.unsupportedRequest("The batch update of \(layout.name) sets nothing: give it propertiesToUpdate.")
    }

    private static func name(of key: AnyHashable) throws -> String {
        switch key.base {
        case let name as String: return name
        case let name as NSString: return String(describing: name)
        case let property as NSPropertyDescription: return property.name
        default:
            throw CoreDataError.unsupportedRequest(
                "A batch update's properties are names or property descriptions, not \(type(of: key.base)).")
        }
    }

    /// A value as the row slots hold it: one, or those of a composite attribute's elements.
    package func fields(_ value: Any, _ property: PropertyLayout) throws -> [(PropertyLayout, FieldValue)] {
        guard property.kind == .composite else { return [(property, try field(value, property))] }
        return try elementValues(value, property, 0).map { ($0.0, try field($0.1, $0.0)) }
    }

    /// Gives a row the entity's defaults, in place.
    package func reset(_ row: inout RowChange) { reset(&row.values) }

    package func reset(_ values: inout ContiguousArray<FieldValue>) {
        let defaults = layout.defaultRow
        if values.count != defaults.count {
            values = defaults
            return
        }
        for slot in values.indices { values[slot] = defaults[slot] }
    }

    /// Puts a value of a dictionary into a row.
    ///
    /// - Throws: an error that names the key and what is wrong.
    package func set(
        _ value: Any, forKey key: String, in row: inout RowChange, emptied: inout SlotSet, number: Int
    ) throws {
        let property = try property(key, number)
        if property.kind == .composite { return try setElements(value, property, &row, &emptied, number) }
        let field = try field(value, property, number)
        row.values[property.rowSlot] = field
        if field.isNull { emptied.insert(property.rowSlot) }
    }

    private func setElements(
        _ value: Any, _ composite: PropertyLayout, _ row: inout RowChange, _ emptied: inout SlotSet, _ number: Int
    ) throws {
        for (element, value) in try elementValues(value, composite, number) {
            let field = try field(value, element, number)
            row.values[element.rowSlot] = field
            if field.isNull { emptied.insert(element.rowSlot) }
        }
    }

    /// The values of a composite attribute's elements, nested ones included.
    package func elementValues(_ value: Any, _ composite: PropertyLayout, _ number: Int) throws -> [(
        PropertyLayout, Any
    )] {
        guard !(value is NSNull) else { return leaves(of: composite).map { ($0, NSNull()) } }
        guard let values = value as? [String: Any] else {
            throw failure(composite.name, number, "is a composite attribute, and takes a dictionary of its elements")
        }
        return try values.flatMap { name, value -> [(PropertyLayout, Any)] in
            guard let element = composite.elements.first(where: { $0.name == name }) else {
                throw unknown("\(composite.name).\(name)", among: composite.elements.map(\.name), number)
            }
            return element.kind == .composite ? try elementValues(value, element, number) : [(element, value)]
        }
    }

    private func leaves(of composite: PropertyLayout) -> [PropertyLayout] {
        composite.elements.flatMap { $0.kind == .composite ? leaves(of: $0) : [$0] }
    }

    /// The property that a key stands for: a name, or the path of a composite attribute's element.
    ///
    /// - Throws: an error for a key that the entity doesn't have, or that no batch request can set.
    package func property(_ key: String, _ number: Int = 0) throws -> PropertyLayout {
        let property: PropertyLayout
        if let found = layout.property(named: key) {
            property = found
        } else if key.contains("."), let element = element(at: key) {
            property = element
        } else {
            throw unknown(key, among: layout.properties.map(\.name), number)
        }
        switch property.kind {
        case .toMany: throw failure(key, number, "is a to-many relationship, which a batch request can't set")
        case .fetched: throw failure(key, number, "is a fetched property, which can't be set")
        case .composite: return property
        default: break
        }
        guard property.rowSlot >= 0 else { throw failure(key, number, "is transient, and so isn't in the store") }
        guard !(property.property is NSDerivedAttributeDescription) else {
            throw failure(key, number, "is derived: the store keeps it up itself")
        }
        return property
    }

    private func element(at path: String) -> PropertyLayout? {
        var names = path.split(separator: ".").map(String.init)[...]
        guard let first = names.popFirst(), var property = layout.property(named: first) else { return nil }
        for name in names {
            guard let element = property.elements.first(where: { $0.name == name }) else { return nil }
            property = element
        }
        return property
    }

    /// A value as a row holds it. A nil inside of the value, as of an optional that was put into a dictionary, is null.
    ///
    /// - Throws: an error for a value of another type than the property's.
    package func field(_ value: Any, _ property: PropertyLayout, _ number: Int = 0) throws -> FieldValue {
        if property.kind == .toOne { return try reference(value, property, number) }
        let value = property.kind == .transformable ? Any?.flattened(value) ?? NSNull() : value
        guard let field = FieldValue(value, kind: property.kind) ?? FieldValue(.flattened(value), kind: property.kind)
        else {
            throw failure(
                property.name, number,
                "takes a \(property.attribute?.attributeValueClassName ?? "\(property.kind)"), not the "
                    + "\(type(of: value)) \(PrintedValue.text(of: value))")
        }
        return field
    }

    private func reference(_ value: Any, _ property: PropertyLayout, _ number: Int) throws -> FieldValue {
        guard let value = Any?.flattened(value), !(value is NSNull) else { return .null }
        guard case .key(let key)? = identity(value), let destination = property.destination else {
            throw failure(
                property.name, number, "is a to-one relationship, and takes the ID of a saved object of the same store")
        }
        let concrete = layout.model.entities[Int(key.entityIndex)]
        guard concrete.isKind(of: destination) else {
            throw failure(property.name, number, "leads to \(destination.name), not to \(concrete.name)")
        }
        return .reference(key)
    }

    private func unknown(_ key: String, among candidates: [String], _ number: Int) -> NSError {
        let hint = Spelling.nearest(to: key, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
        return failure(key, number, "isn't a property of \(layout.name).\(hint)")
    }

    /// - Parameter number: the row of a batch insert, from 0.
    package func failure(_ key: String, _ number: Int, _ what: String) -> NSError {
        let place = request == "batch insert" ? "row \(number) of a batch insert into" : "a \(request) of"
        return CoreDataError.make(
            NSPersistentStoreOperationError, "\(place) \(layout.name): '\(key)' \(what)",
            ["entity": layout.name, "key": key])
    }
}
