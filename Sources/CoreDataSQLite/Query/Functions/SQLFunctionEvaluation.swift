import CoreDataSQL
import FoundationCompat
import GRDB

/// Runs a built-in function of predicates for SQL: `(number of the function, form of each argument, arguments…)`.
enum SQLFunctionEvaluation {
    static func run(_ values: [DatabaseValue]) -> DatabaseValue? {
        guard values.count >= 2, let number = Int.fromDatabaseValue(values[0]),
            BuiltInFunction.allCases.indices.contains(number), let forms = String.fromDatabaseValue(values[1]),
            forms.utf8.count == values.count - 2
        else { return nil }
        let arguments = zip(forms, values.dropFirst(2)).map { SQLArgumentForm(rawValue: $0)?.value($1) }
        let result = BuiltInFunction.allCases[number].value(arguments)
        return SQLConstant(result)?.binding.databaseValue
    }
}
