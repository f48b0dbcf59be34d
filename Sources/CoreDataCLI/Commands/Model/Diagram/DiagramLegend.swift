import enum CoreData.NSDeleteRule

/// Says what the signs of a diagram mean.
struct DiagramLegend {
    private static let entries: [(end: DiagramNet.End, text: String)] = [
        (.init(head: .one, deleteRule: nil), "leads to one object"),
        (.init(head: .many, deleteRule: nil), "leads to many objects"),
        (.init(head: .superentity, deleteRule: nil), "is inherited from"),
        (.init(head: .none, deleteRule: .cascadeDeleteRule), "deletes the objects at the other end as well"),
        (.init(head: .none, deleteRule: .denyDeleteRule), "can't be deleted while there are such objects"),
        (.init(head: .none, deleteRule: .noActionDeleteRule), "leaves them pointing at nothing"),
        (.init(head: .none, deleteRule: .nullifyDeleteRule), "is taken out of them when deleted"),
    ]
    private static let rowHeight = 18

    let width = 460
    var height: Int { Self.entries.count * Self.rowHeight + 24 }

    var svg: String {
        var parts = [
            "<text y=\"0\" font-weight=\"bold\">A line's end at an entity: the entity, or an object of it</text>"
        ]
        for (number, entry) in Self.entries.enumerated() {
            let y = 20 + number * Self.rowHeight
            parts.append(
                "<rect x=\"0\" y=\"\(y - 6)\" width=\"14\" height=\"12\" fill=\"#e5e7eb\" stroke=\"#374151\"/>")
            parts.append("<path stroke=\"#111827\" d=\"M14 \(y)h60\"/>")
            parts.append(DiagramMark.svg(for: entry.end, x: 14, y: y, isRight: true, colour: "#111827"))
            parts.append("<text class=\"dim\" x=\"86\" y=\"\(y + 4)\">\(entry.text)</text>")
        }
        return parts.joined(separator: "\n")
    }
}
