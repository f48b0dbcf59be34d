import Foundation

/// The arguments of a format, handed out in the order of its placeholders.
struct FormatArguments {
    private let values: [Any]
    private var next = 0

    init(_ values: [Any]) {
        self.values = values
    }

    /// The expression that stands in a placeholder's place, or what is wrong with the argument.
    mutating func expression(for placeholder: ArgumentPlaceholder) -> Result<NSExpression, Problem> {
        let index = placeholder.position.map { $0 - 1 } ?? next
        if placeholder.position == nil {
            next += 1
        }
        guard values.indices.contains(index) else {
            return .failure(
                Problem("there is no argument for \(placeholder.text): only \(values.count) are given"))
        }
        let value = Optional.flattened(values[index]).map(withoutAnyHashable)
        switch placeholder.kind {
        case .object:
            return .success(instance(value, of: NSExpression.self) ?? NSExpression(forConstantValue: value))
        case .keyPath:
            return keyPath(value, placeholder)
        case .number:
            guard let number = NumericValue(value) else {
                return .failure(wrong(value, placeholder, "a number"))
            }
            return .success(NSExpression(forConstantValue: value is NSNumber ? value : number.number))
        case .character:
            return character(value, placeholder)
        case .cString:
            guard case .string(let text) = EvaluatedValue(value) else {
                return .failure(wrong(value, placeholder, "a string"))
            }
            return .success(NSExpression(forConstantValue: text))
        }
    }

    /// Why an argument doesn't fit.
    struct Problem: Error {
        let expectation: String

        init(_ expectation: String) {
            self.expectation = expectation
        }
    }

    private func wrong(_ value: Any?, _ placeholder: ArgumentPlaceholder, _ expected: String) -> Problem {
        let found = value.map { "\(type(of: $0))" } ?? "nil"
        return Problem("the argument for \(placeholder.text) has to be \(expected), not \(found)")
    }

    private func keyPath(_ value: Any?, _ placeholder: ArgumentPlaceholder) -> Result<NSExpression, Problem> {
        if let keyPath = value as? AnyKeyPath {
            guard let name = KeyPathNames.name(of: keyPath) else {
                return .failure(Problem("the key path for \(placeholder.text) has no registered name"))
            }
            return .success(NSExpression(forKeyPath: name))
        }
        guard case .string(let path) = EvaluatedValue(value), !path.isEmpty else {
            return .failure(wrong(value, placeholder, "a key path"))
        }
        return .success(NSExpression(forKeyPath: path))
    }

    private func character(_ value: Any?, _ placeholder: ArgumentPlaceholder) -> Result<NSExpression, Problem> {
        switch EvaluatedValue(value) {
        case .string(let text) where text.count == 1:
            return .success(NSExpression(forConstantValue: text))
        case .number(let number):
            guard let code = number.int64Value.flatMap(UInt32.init(exactly:)), let scalar = Unicode.Scalar(code)
            else { return .failure(wrong(value, placeholder, "a character")) }
            return .success(NSExpression(forConstantValue: String(scalar)))
        default:
            return .failure(wrong(value, placeholder, "a character"))
        }
    }
}
