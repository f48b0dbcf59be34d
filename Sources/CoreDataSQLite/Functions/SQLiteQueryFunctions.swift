import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB

/// Registers the functions and collations that translated statements use.
package enum SQLiteQueryFunctions {
    /// The names in upper case: what in a file's schema has one of these in it would run code that is made for translated
    /// predicates only.
    package static let names: [String] = {
        let names =
            SQLStringFunction.allCases.map(\.rawValue) + SQLNumberFunction.allCases.map(\.rawValue) + [
                SQLArchiveEquality.name
            ] + SQLiteMigrationFunction.all
        return names.map { $0.uppercased() }
    }()

    /// To be called once for every connection.
    package static func register(in db: Database) {
        SQLiteStringFunctions.register(in: db)
        db.add(
            function: DatabaseFunction(SQLStringFunction.unpack.rawValue, argumentCount: 1, pure: true) { values in
                String.fromDatabaseValue(values[0]).map { SQLValueList.unpacked($0).databaseValue }
            })
        db.add(
            function: DatabaseFunction(SQLStringFunction.text.rawValue, argumentCount: 2, pure: true) { values in
                String.fromDatabaseValue(values[1]).flatMap(SQLTextForm.init).flatMap { $0.text(values[0]) }
            })
        db.add(function: SQLArchiveEquality.function)
        for collation in SQLStringCollation.allCases {
            db.add(collation: DatabaseCollation(collation.rawValue, function: collation.order))
        }
        db.add(
            function: DatabaseFunction(
                SQLNumberFunction.decimalSum.rawValue, argumentCount: 1, pure: true, aggregate: DecimalSum.self))
        db.add(
            function: DatabaseFunction(
                SQLNumberFunction.median.rawValue, argumentCount: 1, pure: true, aggregate: NumberMedian.self))
        db.add(
            function: DatabaseFunction(
                SQLNumberFunction.decimalMedian.rawValue, argumentCount: 1, pure: true, aggregate: DecimalMedian.self))
        db.add(
            function: DatabaseFunction(
                SQLNumberFunction.standardDeviation.rawValue, argumentCount: 1, pure: true,
                aggregate: NumberDeviation.self))
        db.add(
            function: DatabaseFunction(
                SQLNumberFunction.decimalAverage.rawValue, argumentCount: 1, pure: true,
                aggregate: DecimalAverage.self))
        db.add(
            function: DatabaseFunction(SQLNumberFunction.call.rawValue, pure: true, function: SQLFunctionEvaluation.run)
        )
    }
}

extension SQLBinding {
    package var databaseValue: DatabaseValue {
        switch self {
        case .null: return .null
        case .int(let value): return value.databaseValue
        case .double(let value): return value.databaseValue
        case .text(let value): return value.databaseValue
        case .blob(let value): return value.databaseValue
        }
    }
}
