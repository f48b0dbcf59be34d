@_spi(Engine) import CoreDataRows
import Foundation

extension SQLDialect {
    /// Whether a value is among others, however many these are: an array, which is one parameter.
    func isMember(_ value: SQLFragment, _ type: SQLValueType, of bindings: [SQLBinding]) throws -> SQLFragment {
        if bindings.count == 1 { return "\(value) = \(try constant(bindings[0], beside: type))" }
        let (text, elementType) = try Self.array(bindings, type)
        return "\(value) = ANY(CAST(\(bind: .text(text)) AS \(raw: elementType)[]))"
    }

    /// The array as a text, and the type of its elements.
    private static func array(_ bindings: [SQLBinding], _ type: SQLValueType) throws -> (String, String) {
        let elementType: String
        switch type {
        case .integer, .bool, .object, .entity, .entityName:
            let areIntegers = bindings.allSatisfy { if case .int = $0 { true } else { false } }
            elementType = areIntegers ? "bigint" : "numeric"
        case .decimal: elementType = "numeric"
        case .real, .date: elementType = "double precision"
        case .string, .uri: elementType = "text"
        case .uuid: elementType = "uuid"
        case .data: elementType = "bytea"
        case .transformable: throw needsOwnFunction("A list of \(type.description)")
        }
        return ("{" + (try bindings.map { try element($0, type) }.joined(separator: ",")) + "}", elementType)
    }

    /// A text as an element of an array: scalar by scalar, as a quote with a combining mark behind it is one character to Swift.
    private static func inArray(_ text: String) -> String {
        var element = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { element += "\\" }
            element.unicodeScalars.append(scalar)
        }
        return element + "\""
    }

    private static func element(_ binding: SQLBinding, _ type: SQLValueType) throws -> String {
        switch binding {
        case .null: return "NULL"
        case .int(let value):
            if case .real = type, Double(exactly: value) == nil { throw needsOwnFunction("The number \(value)") }
            return String(value)
        case .double(let value): return value.description
        case .text(let text):
            guard !text.utf8.contains(0) else { throw needsOwnFunction("A string with U+0000") }
            return inArray(text)
        case .blob(let data):
            let digits = data.map { String(format: "%02x", $0) }.joined()
            if case .uuid = type { return digits }
            return "\"\\\\x\(digits)\""
        }
    }
}
