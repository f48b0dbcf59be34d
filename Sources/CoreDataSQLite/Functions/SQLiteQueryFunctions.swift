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

    private static let functions = [
        SQLiteFunction(SQLStringFunction.unpack.rawValue, argumentCount: 1, isPure: true) { values in
            String.fromDatabaseValue(values[0]).map { SQLValueList.unpacked($0).databaseValue }
        },
        SQLiteFunction(SQLStringFunction.text.rawValue, argumentCount: 2, isPure: true) { values in
            String.fromDatabaseValue(values[1]).flatMap(SQLTextForm.init).flatMap { $0.text(values[0]) }
        },
        SQLArchiveEquality.function,
        SQLiteFunction(SQLNumberFunction.decimalSum.rawValue, of: DecimalSum.self),
        SQLiteFunction(SQLNumberFunction.median.rawValue, of: NumberMedian.self),
        SQLiteFunction(SQLNumberFunction.decimalMedian.rawValue, of: DecimalMedian.self),
        SQLiteFunction(SQLNumberFunction.standardDeviation.rawValue, of: NumberDeviation.self),
        SQLiteFunction(SQLNumberFunction.decimalAverage.rawValue, of: DecimalAverage.self),
        SQLiteFunction(SQLNumberFunction.call.rawValue, isPure: true, run: SQLFunctionEvaluation.run),
    ]

    /// To be called once for every connection.
    package static func register(in db: Database) throws {
        try SQLiteStringFunctions.register(in: db)
        for function in functions { try function.register(in: db) }
        for collation in SQLStringCollation.allCases {
            db.add(collation: DatabaseCollation(collation.rawValue, function: collation.order))
        }
    }
}
