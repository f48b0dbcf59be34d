import Foundation

extension PredicateExpressions.Variable: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .expression(try conversion.value(key))
    }
}

extension PredicateExpressions.Value: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        if let result = value as? ComparisonResult {
            return .expression(NSExpression(forConstantValue: NSNumber(value: result.rawValue)))
        }
        return .expression(NSExpression(forConstantValue: value))
    }
}

extension PredicateExpressions.NilLiteral: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .expression(NSExpression(forConstantValue: nil))
    }
}

extension PredicateExpressions.KeyPath: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        let base = try conversion.expression(root)
        switch kind {
        case .collectionCount where Root.Output.self == String.self:
            let form = ExpressionForm.function(operand: nil, name: BuiltInFunction.length.rawValue, arguments: [base])
            return .expression(NSExpression(form: form))
        case .collectionIsEmpty where Root.Output.self == String.self:
            return .predicate(conversion.compare(base, .equalTo, NSExpression(forConstantValue: "")))
        case .collectionCount: return .expression(NSExpression(form: base.form.appending(["@count"], to: base)))
        case .collectionIsEmpty: return conversion.isFilled(base, false)
        case .collectionFirst: return conversion.element(.first, of: base)
        case .bidirectionalCollectionLast: return conversion.element(.last, of: base)
        default: break
        }
        guard let name = KeyPathNames.name(of: keyPath) else {
            throw ClassicConversion.Unsupported(description: "The key path \(keyPath) has no registered name")
        }
        return .expression(NSExpression(form: base.form.appending(ParsedKeyPath(name).keys, to: base)))
    }
}

extension PredicateExpressions.ForcedUnwrap: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .expression(try conversion.expression(inner))
    }
}

extension PredicateExpressions.Conditional: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        let condition = try conversion.predicate(test)
        return .expression(
            NSExpression(
                forConditional: condition, trueExpression: try conversion.expression(trueBranch),
                falseExpression: try conversion.expression(falseBranch)))
    }
}

extension PredicateExpressions.Filter: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .expression(try conversion.subquery(sequence, variable.key, filter))
    }
}

extension PredicateExpressions.Arithmetic: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        switch op {
        case .add: return try conversion.function(.add, lhs, rhs)
        case .subtract: return try conversion.function(.subtract, lhs, rhs)
        case .multiply: return try conversion.function(.multiply, lhs, rhs)
        @unknown default: throw ClassicConversion.Unsupported(description: "NSExpression has no operator \(op)")
        }
    }
}

extension PredicateExpressions.FloatDivision: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.function(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntDivision: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.function(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.function(.modulus, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        let zero = PredicateExpressions.Value(0)
        return try conversion.function(.subtract, zero, wrapped)
    }
}

extension PredicateExpressions.SequenceMaximum: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.function(.maximum, elements)
    }
}

extension PredicateExpressions.SequenceMinimum: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.function(.minimum, elements)
    }
}
