/// A model as a class diagram in Mermaid, which code hosts and editors draw where they meet it in Markdown.
struct MermaidDiagram {
    private let diagram: ModelDiagram
    private let title: String

    init(_ diagram: ModelDiagram, title: String) {
        self.diagram = diagram
        self.title = title
    }

    var text: String {
        var lines = ["---", "title: \"\(Self.escaped(title))\"", "---", "classDiagram", "    direction LR"]
        for (number, box) in diagram.boxes.enumerated() {
            lines.append("    class e\(number)[\"\(Self.escaped(box.name))\"] {")
            lines += box.notes.map { "        <<\($0)>>" }
            lines += box.lines.map { "        \(Self.escaped($0.name)) · \(Self.escaped($0.detail))" }
            lines.append("    }")
        }
        lines += diagram.links.map(Self.line)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ link: ModelDiagram.Link) -> String {
        switch link.kind {
        case .inheritance: return "    e\(link.to) <|-- e\(link.from)"
        case .relationship(let end, nil):
            return "    e\(link.from) --> \"\(end.count)\" e\(link.to) : \(escaped(end.name))"
        case .relationship(let end, let inverse?):
            return "    e\(link.from) \"\(inverse.count)\" -- \"\(end.count)\" e\(link.to) : "
                + "\(escaped(end.name)) / \(escaped(inverse.name))"
        }
    }

    /// The text, with what means something in Mermaid as character references.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "<", ">", "#", ";", "`", "{", "}", "(", ")", "[", "]", "~", "$", ":", "%", "\\":
                "#\(scalar.value);"
            case _ where scalar.value < 32 || scalar.value == 127: "\u{FFFD}"
            default: String(scalar)
            }
        }.joined()
    }
}
