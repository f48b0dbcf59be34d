import enum CoreData.NSDeleteRule

/// What is drawn at the end of a line, beside a box.
enum DiagramMark {
    /// How far from the box the sign of a delete rule is.
    private static let rulePlace = 28

    static func svg(for end: DiagramDrawing.LineEnd, colour: String) -> String {
        svg(for: end.end, x: end.x, y: end.y, isRight: end.isRight, colour: colour)
    }

    static func svg(for end: DiagramNet.End, x: Int, y: Int, isRight: Bool, colour: String) -> String {
        let away = isRight ? 1 : -1
        func arrow(_ distance: Int) -> String { "M\(x + away * distance) \(y)l\(away * 8) -4v8z" }
        var parts: [String] = []
        switch end.head {
        case .none: break
        case .one: parts.append("<path class=\"mark\" d=\"\(arrow(0))\"/>")
        case .many: parts.append("<path class=\"mark\" d=\"\(arrow(0))\(arrow(8))\"/>")
        case .superentity:
            parts.append("<path class=\"mark open\" d=\"M\(x) \(y)l\(away * 12) -6v12z\"/>")
        }
        let middle = x + away * rulePlace
        switch end.deleteRule {
        case nil, .nullifyDeleteRule?: break
        case .cascadeDeleteRule?:
            parts.append("<path class=\"mark\" d=\"M\(middle - 7) \(y)l7 -4 7 4 -7 4z\"/>")
        case .denyDeleteRule?: parts.append("<path class=\"mark\" d=\"M\(middle - 3) \(y - 4)h6v8h-6z\"/>")
        case .noActionDeleteRule?:
            parts.append("<circle class=\"mark open\" cx=\"\(middle)\" cy=\"\(y)\" r=\"4\"/>")
        }
        return parts.isEmpty ? "" : "<g color=\"\(colour)\">\(parts.joined())</g>"
    }
}
