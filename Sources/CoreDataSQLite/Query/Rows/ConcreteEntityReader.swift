@_spi(Engine) import CoreDataRows

/// Finds the concrete entity that the entity number of a row stands for.
struct ConcreteEntityReader {
    private let schema: SQLiteSchema
    /// What the rows are at least.
    private let entity: EntityLayout
    private let table: String
    /// In a table of one entity the number decides nothing. Apple's framework doesn't look at it either: there are stores
    /// with other numbers in such tables (seen in ArtsyPartner_1.3 and 2.0).
    private let isAlone: Bool
    /// The answer for the last row, which is most likely the one for the next row too.
    private var lastNumber: Int64
    private var lastIndex: Int32

    init(_ entity: EntityLayout, table: String, schema: SQLiteSchema) {
        self.schema = schema
        self.entity = entity
        self.table = table
        let root = entity.root
        isAlone = root.lastDescendantIndex == root.index
        // No number of its own stands for "none yet", as a damaged file may hold any.
        lastIndex = Int32(entity.index)
        // Where the store doesn't hold the entity, the code that names its table reports the error.
        lastNumber = (try? schema.entity(entity).number) ?? .min
    }

    /// - Throws: an error that names the row, where its number is neither the entity's nor a subentity's.
    @inline(__always)
    mutating func index(number: Int64, key: Int64) throws -> Int32 {
        if number == lastNumber || isAlone { return lastIndex }
        guard let index = schema.entityIndex(forNumber: number),
            Int(index) >= entity.index, Int(index) <= entity.lastDescendantIndex
        else {
            throw SQLiteRowError.unknownEntity(number, table: table, key: key, as: entity.name)
        }
        lastNumber = number
        lastIndex = index
        return index
    }
}
