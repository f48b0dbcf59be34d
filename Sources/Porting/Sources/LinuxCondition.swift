import SwiftSyntax

/// Whether a condition of compilation holds on Linux.
enum LinuxCondition {
    case holds
    case fails
    /// It depends on something that isn't known here, such as a flag.
    case unknown

    init(_ condition: ExprSyntax, _ surroundings: PortingSurroundings) {
        let evaluation = Evaluation(surroundings: surroundings)
        self = evaluation.value(of: Array(condition.tokens(viewMode: .sourceAccurate).map(\.text))[...])
    }
}

/// What a condition's tokens come to.
private struct Evaluation {
    let surroundings: PortingSurroundings

    func value(of tokens: ArraySlice<String>) -> LinuxCondition {
        if let parts = Self.split(tokens, at: "||") { return parts.map(value).reduce(.fails, Self.or) }
        if let parts = Self.split(tokens, at: "&&") { return parts.map(value).reduce(.holds, Self.and) }
        guard let first = tokens.first else { return .unknown }
        if first == "!" { return Self.not(value(of: tokens.dropFirst())) }
        if first == "(", tokens.last == ")" { return value(of: tokens.dropFirst().dropLast()) }
        guard tokens.count == 4, tokens.last == ")" else {
            return first == "true" ? .holds : first == "false" ? .fails : .unknown
        }
        let argument = tokens[tokens.startIndex + 2]
        switch first {
        case "os": return argument == "Linux" ? .holds : .fails
        case "canImport": return surroundings.isMissing(argument) ? .fails : .unknown
        case "targetEnvironment": return .fails
        case "_runtime": return argument == "_ObjC" ? .fails : .holds
        default: return .unknown
        }
    }

    /// The parts between the operators that are in no brackets. Nil where there is no such operator.
    private static func split(_ tokens: ArraySlice<String>, at separator: String) -> [ArraySlice<String>]? {
        var parts: [ArraySlice<String>] = []
        var depth = 0
        var start = tokens.startIndex
        for index in tokens.indices {
            switch tokens[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case separator where depth == 0:
                parts.append(tokens[start..<index])
                start = index + 1
            default: break
            }
        }
        return parts.isEmpty ? nil : parts + [tokens[start...]]
    }

    private static func not(_ condition: LinuxCondition) -> LinuxCondition {
        switch condition {
        case .holds: .fails
        case .fails: .holds
        case .unknown: .unknown
        }
    }

    private static func or(_ left: LinuxCondition, _ right: LinuxCondition) -> LinuxCondition {
        if left == .holds || right == .holds { return .holds }
        return left == .fails && right == .fails ? .fails : .unknown
    }

    private static func and(_ left: LinuxCondition, _ right: LinuxCondition) -> LinuxCondition {
        if left == .fails || right == .fails { return .fails }
        return left == .holds && right == .holds ? .holds : .unknown
    }
}

extension IfConfigDeclSyntax {
    /// What of it may be compiled on Linux.
    func clausesOnLinux(_ surroundings: PortingSurroundings) -> [IfConfigClauseSyntax.Elements] {
        var result: [IfConfigClauseSyntax.Elements] = []
        for clause in clauses {
            let condition = clause.condition.map { LinuxCondition($0, surroundings) } ?? .holds
            if condition != .fails, let elements = clause.elements { result.append(elements) }
            if condition == .holds { break }
        }
        return result
    }
}
