import Foundation

/// A drawing with a panel for each workload: the time for each object over the number of objects, so that a level line is linear growth.
/// Both scales are logarithmic.
struct GrowthPlot {
    let fileName: String
    let title: String
    let growths: [Growth]

    /// One drawing for work that reads, and one for work that writes.
    static func plots(of growths: [Growth]) -> [GrowthPlot] {
        [
            GrowthPlot(
                fileName: "growth-reading.svg", title: "Reading: time for each object over the number of objects",
                growths: growths.filter { !$0.workload.isWriting }),
            GrowthPlot(
                fileName: "growth-writing.svg", title: "Writing: time for each object over the number of objects",
                growths: growths.filter(\.workload.isWriting)),
        ].filter { !$0.growths.isEmpty }
    }

    private let columns = 3
    private let panelWidth = 280.0
    private let panelHeight = 200.0
    private let legendHeight = 36.0

    private init(fileName: String, title: String, growths: [Growth]) {
        (self.fileName, self.title, self.growths) = (fileName, title, growths)
    }

    var svg: String {
        let rows = (growths.count + columns - 1) / columns
        let (width, height) = (Double(columns) * panelWidth, legendHeight + Double(rows) * panelHeight)
        let panels = growths.enumerated().map { place, growth in
            let x = Double(place % columns) * panelWidth
            let y = legendHeight + Double(place / columns) * panelHeight
            return "<g transform=\"translate(\(number(x)),\(number(y)))\">\n\(panel(growth))\n</g>"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" role="img">
            <title>\(title)</title>
            \(Self.style)
            <rect class="paper" width="\(number(width))" height="\(number(height))"/>
            \(legend)
            \(panels.joined(separator: "\n"))
            </svg>

            """
    }

    /// With a ground of its own: the page around it may be dark where the reader's system is light.
    private static let style = """
        <style>
        .paper{fill:#fff}text{fill:#1f2328;font:11px system-ui,sans-serif}.head{font-weight:600}.unit{fill:#59636e}
        line{stroke:#d1d9e0}polyline{fill:none;stroke-width:2}
        .plain{stroke:#6e7781;stroke-dasharray:5 3}.coreData{stroke:#0969da}
        @media(prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#e6edf3}.unit{fill:#9198a1}line{stroke:#30363d}
        .plain{stroke:#9198a1}.coreData{stroke:#4493f8}}
        </style>
        """

    private var legend: String {
        Growth.sides.enumerated().map { place, side in
            let x = 16 + Double(place) * 110
            return """
                <polyline class="\(side.rawValue)" points="\(number(x)),20 \(number(x + 26)),20"/>\
                <text x="\(number(x + 32))" y="24">\(side.title)</text>
                """
        }.joined(separator: "\n")
    }

    private func panel(_ growth: Growth) -> String {
        let (left, right, top, bottom) = (52.0, panelWidth - 12, 50.0, panelHeight - 30)
        let times = growth.sides.flatMap { growth.secondsAnObject($0) }.filter { $0 > 0 }
        let sizes = growths.flatMap(\.sizes)
        guard let least = times.min(), let greatest = times.max(), let smallest = sizes.min(), let largest = sizes.max()
        else { return "" }
        let (low, high) = (floor(log10(least)), max(ceil(log10(greatest)), floor(log10(least)) + 1))
        let (first, last) = (log10(Double(smallest)), log10(Double(largest)))
        func x(_ size: Int) -> Double { left + (log10(Double(size)) - first) / (last - first) * (right - left) }
        func y(_ seconds: Double) -> Double { bottom - (log10(seconds) - low) / (high - low) * (bottom - top) }

        var lines = [
            "<text class=\"head\" x=\"16\" y=\"18\">\(growth.workload.growthTitle)</text>",
            "<text class=\"unit\" x=\"16\" y=\"34\">\(exponents(growth))</text>",
        ]
        for power in Int(low)...Int(high) {
            let height = number(y(pow(10, Double(power))))
            lines.append("<line x1=\"\(number(left))\" x2=\"\(number(right))\" y1=\"\(height)\" y2=\"\(height)\"/>")
            lines.append(
                "<text class=\"unit\" text-anchor=\"end\" x=\"\(number(left - 6))\" y=\"\(height)\" dy=\"4\">\(Self.time(power))</text>"
            )
        }
        for size in Set(sizes).sorted() {
            lines.append(
                "<text class=\"unit\" text-anchor=\"middle\" x=\"\(number(x(size)))\" y=\"\(number(bottom + 16))\">"
                    + "\(GrowthTable.power(size))</text>")
        }
        for side in growth.sides {
            let points = zip(growth.sizes, growth.secondsAnObject(side)).filter { $0.1 > 0 }
                .map { "\(number(x($0.0))),\(number(y($0.1)))" }
            lines.append("<polyline class=\"\(side.rawValue)\" points=\"\(points.joined(separator: " "))\"/>")
        }
        return lines.joined(separator: "\n")
    }

    private func exponents(_ growth: Growth) -> String {
        let texts = growth.sides.compactMap { side in
            growth.exponent(side).map { "\(side.title) \(String(format: "%.2f", $0))" }
        }
        return "exponent: " + texts.joined(separator: ", ")
    }

    /// A power of ten of seconds.
    private static func time(_ power: Int) -> String {
        let units = [("s", 0), ("ms", -3), ("µs", -6), ("ns", -9)]
        let (unit, zero) = units.first { power >= $0.1 } ?? ("ps", -12)
        return "1" + String(repeating: "0", count: max(0, power - zero)) + " " + unit
    }

    private func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
