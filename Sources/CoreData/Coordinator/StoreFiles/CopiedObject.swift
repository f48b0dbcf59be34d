@_spi(Engine) import CoreDataRows

/// Makes objects with the values that an object of another store has.
enum CopiedObject {
    /// An inserted object with a temporary identity and the attributes of a row.
    static func make(of row: RowRef, in context: NSManagedObjectContext) -> NSManagedObject {
        let layout = row.page.layout(row.row)
        let object = layout.makeObject()
        object.registry = context.registry
        object.becomeNew()
        object.flags = .inserted
        let state = object.writableState
        state.current = layout.values(of: row)
        state.transients = [:]
        // Values that refer to objects of the other store aren't copied.
        for property in layout.relationships where property.rowSlot >= 0 { state.current[property.rowSlot] = .null }
        return object
    }

    static func setDestination(_ destination: NSManagedObject?, of property: PropertyLayout, _ object: NSManagedObject)
    {
        let state = object.writableState
        state.current[property.rowSlot] = destination.map { .destination($0) } ?? .null
        state.toOnes[property.index] = .some(destination)
    }

    static func setMembers(_ members: [NSManagedObject], of property: PropertyLayout, _ object: NSManagedObject) {
        let value = ToManyValue.empty(isOrdered: property.isOrdered)
        for member in members { value.add(member) }
        object.writableState.toManys[property.index] = value
    }
}
