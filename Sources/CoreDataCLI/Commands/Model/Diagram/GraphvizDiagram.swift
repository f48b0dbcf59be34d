/// A model as a graph in the language of Graphviz, whose `dot` draws it.
///
/// Lines lead from property to property. The head of an arrow is a crow's foot for to-many and a normal one for to-one; a hollow
/// triangle points to the entity that is inherited from.
struct GraphvizDiagram {
    private let diagram: ModelDiagram
    private let title: String

    init(_ diagram: ModelDiagram, title: String) {
        self.diagram = diagram
        self.title = title
    }

    var text: String {
        var lines = [
            "digraph model {", "    label=\"\(Self.quoted(title))\"; labelloc=t; rankdir=LR;",
            "    node [shape=plain, fontname=\"sans-serif\", fontsize=11];", "    edge [color=gray40];",
        ]
        for (number, box) in diagram.boxes.enumerated() {
            lines.append("    e\(number) [label=<\(Self.table(box))>];")
        }
        lines += diagram.links.map(Self.line) + ["}"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(_ box: ModelDiagram.Box) -> String {
        let notes = box.notes.map { "<br/><i>\(escaped($0))</i>" }.joined()
        let head = "<tr><td port=\"head\" bgcolor=\"gray90\"><b>\(escaped(box.name))</b>\(notes)</td></tr>"
        let rows = box.lines.enumerated().map { number, line in
            let name = line.isRelationship ? "<i>\(escaped(line.name))</i>" : escaped(line.name)
            return "<tr><td port=\"p\(number)\" align=\"left\">\(name): \(escaped(line.detail))</td></tr>"
        }
        return
            "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">\(head)\(rows.joined())</table>"
    }

    private static func line(_ link: ModelDiagram.Link) -> String {
        switch link.kind {
        case .inheritance: "    e\(link.from):head -> e\(link.to):head [arrowhead=onormal];"
        case .relationship(let end, nil):
            "    e\(link.from):p\(end.line) -> e\(link.to):head [arrowhead=\(arrow(end))];"
        case .relationship(let end, let inverse?):
            "    e\(link.from):p\(end.line) -> e\(link.to):p\(inverse.line) "
                + "[dir=both, arrowhead=\(arrow(end)), arrowtail=\(arrow(inverse))];"
        }
    }

    private static func arrow(_ end: ModelDiagram.End) -> String { end.isToMany ? "crow" : "normal" }

    /// Text between quotation marks.
    private static func quoted(_ text: String) -> String {
        clean(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    /// Text in a table.
    private static func escaped(_ text: String) -> String {
        clean(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static func clean(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : $0 }))
    }
}
