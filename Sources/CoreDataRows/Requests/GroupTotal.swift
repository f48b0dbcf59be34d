import FoundationCompat

@_exported import class FoundationCompat.NSExpression

/// How what each object's to-many comes to makes one value of a group: `employees.@count` of departments that are grouped
/// is the number of all their employees.
///
/// Our choice for groups of several objects, as Apple documents none; for groups of one it is the object's own value.
package enum GroupTotal {
    /// The function that makes one value of the objects' values; nil where the expression isn't an aggregate over a to-many,
    /// or where none can be made of them, as of averages.
    package static func function(for expression: NSExpression, of entity: EntityLayout) -> String? {
        switch expression.form {
        case .function(nil, let name, let arguments):
            guard arguments.count == 1, hasManyValues(arguments[0], of: entity) else { return nil }
            return combining[name]
        case .keyPath(let operand, let path):
            guard let index = path.keys.firstIndex(where: { $0.hasPrefix("@") }), index > 0 || operand != nil else {
                return nil
            }
            return combining["\(path.keys[index].dropFirst()):"]
        default: return nil
        }
    }

    private static let combining = ["count:": "sum:", "sum:": "sum:", "min:": "min:", "max:": "max:"]

    private static func hasManyValues(_ argument: NSExpression, of entity: EntityLayout) -> Bool {
        switch argument.form {
        // A path that leads nowhere is told when the column is made.
        case .keyPath(nil, let path): return (try? FetchedKeyPath(path.string, from: entity))?.passesToMany == true
        case .subquery: return true
        default: return false
        }
    }
}
