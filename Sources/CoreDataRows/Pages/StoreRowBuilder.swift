import Foundation
import ManagedObjectModel

/// Makes rows of values as stores outside this module give them.
package enum StoreRowBuilder {
    /// The handle that says "ask the store": the destination of a to-one that the store's values left out.
    package static let unread: Int64 = .min

    /// A page with one row.
    ///
    /// - Parameter value: the value of a property; nil when there is none, ``NSNull`` for nil.
    /// - Throws: an error that names the property when a value isn't of its type.
    package static func row(
        _ key: ObjectKey, version: Int64, layout: EntityLayout, value: (PropertyLayout) throws -> Any?,
        destination: (Any, PropertyLayout) throws -> ObjectKey?
    ) throws -> RowRef {
        let page = RowPage(model: layout.model, slotCount: layout.rowSlotCount, capacity: 1)
        return try append(key, version: version, layout: layout, to: page, value: value, destination: destination)
    }

    /// Appends a row to a page that has room for it.
    ///
    /// - Throws: as ``row(_:version:layout:value:destination:)`` does; the page must not be used then.
    package static func append(
        _ key: ObjectKey, version: Int64, layout: EntityLayout, to page: RowPage,
        value: (PropertyLayout) throws -> Any?, destination: (Any, PropertyLayout) throws -> ObjectKey?
    ) throws -> RowRef {
        page.appendRow(handle: key.handle, entityIndex: layout.index, version: version)
        for property in layout.properties {
            switch property.kind {
            case .toOne where property.rowSlot >= 0:
                guard let given = try value(property) else {
                    page.setReference(property.rowSlot, handle: unread, entityIndex: 0)
                    continue
                }
                guard !(given is NSNull), let target = try destination(given, property) else { continue }
                page.setReference(property.rowSlot, handle: target.handle, entityIndex: Int(target.entityIndex))
            case .toMany, .fetched, .toOne, .undefined: continue
            case .composite:
                guard let given = try value(property), !(given is NSNull) else { continue }
                guard let elements = given as? [String: Any] else { throw wrongType(given, property) }
                try setElements(of: property, elements, in: page)
            default:
                guard property.rowSlot >= 0, let given = try value(property) else { continue }
                try set(given, of: property, in: page)
            }
        }
        return RowRef(page: page, row: page.count - 1)
    }

    private static func setElements(of composite: PropertyLayout, _ values: [String: Any], in page: RowPage) throws {
        for element in composite.elements {
            guard let value = values[element.name] else { continue }
            if let nested = value as? [String: Any], element.kind == .composite {
                try setElements(of: element, nested, in: page)
            } else {
                try set(value, of: element, in: page)
            }
        }
    }

    private static func set(_ value: Any, of property: PropertyLayout, in page: RowPage) throws {
        if let archived = value as? ArchivedTransformable {
            return page.setValue(.data(archived.data), of: property)
        }
        if property.kind == .transformable, !(value is NSNull) {
            guard let data = TransformableCoder.data(from: value, of: property) else {
                throw wrongType(value, property)
            }
            return page.setValue(.data(data), of: property)
        }
        guard let field = FieldValue(value, kind: property.kind) else { throw wrongType(value, property) }
        page.setValue(field, of: property)
    }

    private static func wrongType(_ value: Any, _ property: PropertyLayout) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store gave a \(type(of: value)) for \(property.owner.name).\(property.name), which is "
                + "\(property.attribute?.attributeValueClassName ?? "of another type").")
    }
}
