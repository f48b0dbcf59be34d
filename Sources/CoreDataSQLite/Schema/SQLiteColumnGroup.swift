@_spi(Engine) import CoreDataRows

/// The groups in which Apple lays the columns of a `CREATE TABLE`, in their order.
///
/// Seen in every fixture whose tables weren't altered by a migration.
enum SQLiteColumnGroup: Int, CaseIterable, Sendable {
    case integer
    case real
    case decimal
    case string
    case uri
    case uuid
    case transformable
    case binary

    /// The group and declared type of a stored attribute or to-one; nil for what has no column of its own.
    static func column(for kind: PropertyKind) -> (group: SQLiteColumnGroup, type: SQLiteDeclaredType)? {
        switch kind {
        case .int16, .int32, .int64, .bool, .toOne: (.integer, .integer)
        case .date: (.real, .timestamp)
        case .double, .float: (.real, .float)
        case .decimal: (.decimal, .decimal)
        case .string: (.string, .varchar)
        // No store with an object ID attribute was seen; its text is a URI, so it is laid out as one.
        case .uri, .objectID: (.uri, .varchar)
        case .uuid: (.uuid, .blob)
        case .transformable: (.transformable, .blob)
        case .data: (.binary, .blob)
        case .composite, .undefined, .toMany, .fetched: nil
        }
    }
}
