import Foundation

extension FormatParser {
    /// `SUBQUERY(…)`, `FUNCTION(…)`, `CAST(…)`, `TERNARY(…)` or `FETCH(…)`.
    mutating func call(_ keyword: Keyword) throws -> FormatNode {
        let offset = start
        try advance()
        try expect(.openParenthesis, "after \(keyword.rawValue.uppercased())")
        switch keyword {
        case .subquery: return try subquery()
        case .ternary: return try ternary()
        case .cast: return try cast()
        case .fetch: return try fetch(from: offset)
        default: return try selectorCall()
        }
    }

    /// The next argument of a call, which has to be a value.
    private mutating func argumentExpression() throws -> (expression: NSExpression, depth: Int) {
        let offset = start
        let node = try node(.or)
        return (try expression(node, from: offset), node.depth)
    }

    private mutating func argumentPredicate() throws -> (predicate: NSPredicate, depth: Int) {
        let offset = start
        if case .argument(let placeholder) = token, placeholder.kind == .object,
            case .constant(let value) = try argumentPeek(placeholder), let predicate = value as? NSPredicate
        {
            _ = try argument(placeholder)
            try advance()
            return (predicate, 1)
        }
        let node = try node(.or)
        return (try predicate(node, from: offset), node.depth)
    }

    /// What a placeholder would stand for, without using the argument up.
    private func argumentPeek(_ placeholder: ArgumentPlaceholder) throws -> ExpressionForm {
        var copy = self
        return try copy.argument(placeholder).form
    }

    private mutating func subquery() throws -> FormatNode {
        let collection = try argumentExpression()
        try expect(.comma, "after the collection of the subquery")
        guard case .variable(let variable) = token else {
            throw failure("expected the variable of the subquery, such as $x")
        }
        try advance()
        try expect(.comma, "after the variable of the subquery")
        let predicate = try argumentPredicate()
        try expect(.closeParenthesis, "to close SUBQUERY")
        let form = ExpressionForm.subquery(
            collection: collection.expression, variable: variable, predicate: predicate.predicate)
        return .expression(NSExpression(form: form), depth: try deeper(collection.depth, predicate.depth))
    }

    private mutating func ternary() throws -> FormatNode {
        let condition = try argumentPredicate()
        try expect(.comma, "after the condition")
        let first = try argumentExpression()
        try expect(.comma, "after the first value")
        let second = try argumentExpression()
        try expect(.closeParenthesis, "to close TERNARY")
        return .expression(
            NSExpression(form: .conditional(condition.predicate, first.expression, second.expression)),
            depth: try deeper(condition.depth, first.depth, second.depth))
    }

    private mutating func cast() throws -> FormatNode {
        let value = try argumentExpression()
        try expect(.comma, "after the value to cast")
        let typeStart = start
        let type = try argumentExpression()
        try expect(.closeParenthesis, "to close CAST")
        if case .constant(let name) = type.expression.form, case .string(let name) = EvaluatedValue(name) {
            guard CastTarget(name) != nil else {
                throw failure(at: typeStart, "CAST doesn't know the type \(name)")
            }
        }
        let form = ExpressionForm.function(
            operand: nil, name: BuiltInFunction.cast.rawValue, arguments: [value.expression, type.expression])
        return .expression(
            CastTarget.simplified(NSExpression(form: form)), depth: try deeper(value.depth, type.depth))
    }

    private mutating func fetch(from offset: Int) throws -> FormatNode {
        let request = try argumentExpression()
        try expect(.comma, "after the fetch request")
        let context = try argumentExpression()
        try expect(.comma, "after the context")
        let countOnly = try argumentExpression()
        try expect(.closeParenthesis, "to close FETCH")
        guard case .constant(let flag) = countOnly.expression.form, let number = NumericValue(flag) else {
            throw failure(at: offset, "the last argument of FETCH has to be YES or NO")
        }
        guard let maker = FetchExpressions.maker else {
            throw failure(at: offset, "FETCH needs Core Data, which isn't part of this program")
        }
        let expression = maker.makeFetchExpression(
            request: request.expression, context: context.expression, countOnly: number.isTrue)
        return .expression(expression, depth: try deeper(request.depth, context.depth))
    }

    /// `FUNCTION(object, "selector:", argument …)`
    private mutating func selectorCall() throws -> FormatNode {
        let target = try argumentExpression()
        try expect(.comma, "after the object of the function")
        let nameStart = start
        let name = try argumentExpression()
        guard case .constant(let value) = name.expression.form, case .string(let selector) = EvaluatedValue(value)
        else { throw failure(at: nameStart, "expected the name of a method, as a string") }
        var arguments: [NSExpression] = []
        var depth = target.depth
        while try consume(.comma) {
            let argument = try argumentExpression()
            arguments.append(argument.expression)
            depth = max(depth, argument.depth)
        }
        try expect(.closeParenthesis, "to close FUNCTION")
        let expression = NSExpression(forFunction: target.expression, selectorName: selector, arguments: arguments)
        return .expression(expression, depth: try deeper(depth))
    }

    /// `now()`, `sum(salaries)`, `modulus:by:(a, b)`; the current token is the first word of the name.
    mutating func function(_ word: String, from offset: Int) throws -> FormatNode {
        var name = word
        try advance()
        while try consume(.colon) {
            name += ":"
            if case .word(let part) = token {
                name += part
                try advance()
            }
        }
        try expect(.openParenthesis, "after the name of the function \(name)")
        var arguments: [NSExpression] = []
        var depth = 0
        while token != .symbol(.closeParenthesis) {
            if !arguments.isEmpty {
                try expect(.comma, "or \")\" after the argument")
            }
            let argument = try argumentExpression()
            arguments.append(argument.expression)
            depth = max(depth, argument.depth)
        }
        try advance()
        if !name.hasSuffix(":"), !arguments.isEmpty {
            name += ":"
        }
        switch BuiltInFunction.named(name, argumentCount: arguments.count) {
        case .success(let function):
            let form = ExpressionForm.function(operand: nil, name: function.rawValue, arguments: arguments)
            return .expression(NSExpression(form: form), depth: try deeper(depth))
        case .failure(let problem):
            throw failure(at: offset, problem.explanation)
        }
    }
}
