import Foundation
import FoundationCompat
import GRDB

@_exported import class FoundationCompat.NSComparisonPredicate

/// Registers the functions and collations that translated statements use.
enum SQLiteQueryFunctions {
    /// To be called once for every connection.
    static func register(in db: Database) {
        for function in SQLStringFunction.allCases { db.add(function: databaseFunction(function)) }
        for collation in SQLStringCollation.allCases {
            db.add(collation: DatabaseCollation(collation.rawValue, function: collation.order))
        }
        db.add(
            function: DatabaseFunction(
                SQLNumberFunction.decimalSum.rawValue, argumentCount: 1, pure: true, aggregate: DecimalSum.self))
        db.add(
            function: DatabaseFunction(
                SQLNumberFunction.decimalAverage.rawValue, argumentCount: 1, pure: true,
                aggregate: DecimalAverage.self))
        db.add(
            function: DatabaseFunction(SQLNumberFunction.call.rawValue, pure: true, function: SQLFunctionEvaluation.run)
        )
    }

    private static func databaseFunction(_ function: SQLStringFunction) -> DatabaseFunction {
        if function == .unpack {
            return DatabaseFunction(function.rawValue, argumentCount: 1, pure: true) { values in
                String.fromDatabaseValue(values[0]).map { SQLValueList.unpacked($0).databaseValue }
            }
        }
        if function == .text {
            return DatabaseFunction(function.rawValue, argumentCount: 2, pure: true) { values in
                String.fromDatabaseValue(values[1]).flatMap(SQLTextForm.init).flatMap { $0.text(values[0]) }
            }
        }
        return DatabaseFunction(function.rawValue, argumentCount: 3, pure: true) { values in
            guard let left = String.fromDatabaseValue(values[0]), let right = String.fromDatabaseValue(values[1]),
                let options = UInt.fromDatabaseValue(values[2])
            else { return nil }
            return try function.apply(left, right, NSComparisonPredicate.Options(rawValue: options))
        }
    }
}

extension SQLStringFunction {
    /// The result for two strings that are there.
    fileprivate func apply(
        _ left: String, _ right: String, _ options: NSComparisonPredicate.Options
    ) throws -> Int {
        switch self {
        case .compare: return StringComparison.order(left, right, options).rawValue
        case .beginsWith: return StringComparison.beginsWith(left, right, options) ? 1 : 0
        case .endsWith: return StringComparison.endsWith(left, right, options) ? 1 : 0
        case .contains: return StringComparison.contains(left, right, options) ? 1 : 0
        case .like: return StringComparison.like(left, right, options) ? 1 : 0
        case .matches: return try StringComparison.matches(left, right, options) ? 1 : 0
        case .text, .unpack: return 0
        }
    }
}

extension SQLBinding {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: return .null
        case .int(let value): return value.databaseValue
        case .double(let value): return value.databaseValue
        case .text(let value): return value.databaseValue
        case .blob(let value): return value.databaseValue
        }
    }
}
