import FoundationCompat

@_exported import class FoundationCompat.NSExpression

extension NSExpression {
    /// Whether the value is the same for all records, and known before any is read.
    package var isConstant: Bool {
        switch form {
        case .constant: return true
        case .aggregate(let elements): return elements.allSatisfy(\.isConstant)
        case .function(let operand, let name, let arguments):
            return !name.hasPrefix("random") && operand?.isConstant ?? true && arguments.allSatisfy(\.isConstant)
        case .keyPath(let operand?, _): return operand.isConstant
        case .setOperation(_, let left, let right): return left.isConstant && right.isConstant
        default: return false
        }
    }
}
