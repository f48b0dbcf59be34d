import CoreData
import Foundation

/// Writes a diagram as SVG.
struct DiagramSVG {
    private static let margin = 32
    private static let titleHeight = 40
    /// Dark enough on white, and different for people who can't tell red from green.
    private static let colours = [
        "#0b62a4", "#c2410c", "#15803d", "#7e22ce", "#b8860b", "#be123c", "#0f766e", "#4b5563", "#9d174d", "#3f6212",
    ]
    private static let inheritanceColour = "#111827"

    private let drawing: DiagramDrawing
    private let nets: [DiagramNet]
    private let title: String

    init(_ graph: DiagramGraph, title: String) {
        drawing = DiagramDrawing(graph)
        nets = graph.nets
        self.title = title
    }

    var text: String {
        let legend = DiagramLegend()
        let width = max(drawing.width, legend.width) + 2 * Self.margin
        let height = drawing.height + Self.titleHeight + legend.height + 3 * Self.margin
        let origin = Self.margin + Self.titleHeight
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-size="11" \
            font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace">
            <style>
            path { fill: none; stroke-width: 1.2; stroke-linejoin: round }
            .mark { fill: currentColor; stroke: currentColor; stroke-width: 1 }
            .open { fill: white }
            .dim { fill: #4b5563 }
            .right { text-anchor: end }
            </style>
            <rect width="\(width)" height="\(height)" fill="white"/>
            <text x="\(Self.margin)" y="\(Self.margin + 16)" font-size="18" font-weight="bold">\(Self.escape(title))</text>
            <g transform="translate(\(Self.margin) \(origin))">
            """
        ]
        parts += drawing.lines.map(line)
        parts += drawing.ends.map { DiagramMark.svg(for: $0, colour: colour(of: $0.net)) }
        parts += drawing.boxes.map(box)
        parts.append("</g>")
        parts.append(
            "<g transform=\"translate(\(Self.margin) \(origin + drawing.height + Self.margin))\">\(legend.svg)</g>")
        parts.append("</svg>")
        return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private func colour(of net: Int) -> String {
        if nets[net].hubEnd.head == .superentity { return Self.inheritanceColour }
        return Self.colours[net % Self.colours.count]
    }

    private func line(_ line: DiagramDrawing.Line) -> String {
        let heights = line.ends.map(\.y)
        let stem = "M\(line.track) \(heights.min() ?? 0)V\(heights.max() ?? 0)"
        let arms = line.ends.map { "M\(line.track) \($0.y)H\($0.x)" }.joined()
        return "<path stroke=\"\(colour(of: line.net))\" d=\"\(stem)\(arms)\"/>"
    }

    private func box(_ placed: DiagramDrawing.PlacedBox) -> String {
        let (box, x, y) = (placed.box, placed.x, placed.y)
        let left = x + 8
        let right = x + box.width - 8
        func base(_ middle: Int) -> Int { y + middle + 4 }
        let style = box.isAbstract ? " font-style=\"italic\"" : ""
        let dashes = box.isAbstract ? " stroke-dasharray=\"5 3\"" : ""
        var parts = [
            """
            <rect x="\(x)" y="\(y)" width="\(box.width)" height="\(box.height)" rx="4" fill="white" \
            stroke="#374151"\(dashes)/>
            <path fill="#e5e7eb" style="fill: #e5e7eb" stroke="#374151"\(dashes) \
            d="M\(x) \(y + DiagramBox.headHeight)v\(4 - DiagramBox.headHeight)a4 4 0 0 1 4 -4\
            h\(box.width - 8)a4 4 0 0 1 4 4v\(DiagramBox.headHeight - 4)z"/>
            <text x="\(left)" y="\(base(DiagramBox.titleOffset) + 2)" font-size="13" font-weight="bold"\(style)>\
            \(Self.escape(box.title))</text>
            """
        ]
        if !box.subtitle.isEmpty {
            parts.append(
                "<text class=\"dim\" x=\"\(left)\" y=\"\(base(DiagramBox.subtitleOffset))\">\(Self.escape(box.subtitle))</text>"
            )
        }
        for (number, line) in box.lines.enumerated() {
            let middle = DiagramBox.offset(ofLine: number)
            if line.isRelationship, number > 0, !box.lines[number - 1].isRelationship {
                parts.append("<path stroke=\"#d1d5db\" d=\"M\(x + 1) \(y + middle - 8)h\(box.width - 2)\"/>")
            }
            parts.append("<text x=\"\(left)\" y=\"\(base(middle))\">\(Self.escape(line.name))</text>")
            parts.append(
                "<text class=\"right dim\" x=\"\(right)\" y=\"\(base(middle))\">\(Self.escape(line.detail))</text>")
        }
        return parts.joined(separator: "\n")
    }

    /// Names come from files: what has a meaning in XML is escaped, what XML can't hold is replaced.
    private static func escape(_ text: String) -> String {
        XMLEscapes.escaped(text) { scalar in
            switch scalar {
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }
}
