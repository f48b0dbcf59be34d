import CLibPQ
import CoreDataSQL

/// The types of values that go to the server and come back, with their numbers in its catalogue (`pg_type.oid`, which are the
/// same in every database).
enum PostgreSQLType: Oid, Sendable {
    case boolean = 16
    case bytes = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case float4 = 700
    case float8 = 701
    case numeric = 1700
    case uuid = 2950
    case int8Array = 1016
    case textArray = 1009

    /// The name of the type in a statement.
    var name: SQLFragment {
        switch self {
        case .boolean: "boolean"
        case .bytes: "bytea"
        case .int8: "bigint"
        case .int2: "smallint"
        case .int4: "integer"
        case .text: "text COLLATE \"C\""
        case .float4: "real"
        case .float8: "double precision"
        case .numeric: "numeric"
        case .uuid: "uuid"
        case .int8Array: "bigint[]"
        case .textArray: "text[]"
        }
    }

    /// The same in a cast of a value, which keeps its own order.
    var castName: SQLFragment { self == .text ? "text" : name }
}
