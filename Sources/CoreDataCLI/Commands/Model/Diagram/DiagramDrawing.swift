/// A diagram with a place for everything: what is left to do is to write it down.
struct DiagramDrawing {
    struct PlacedBox {
        let box: DiagramBox
        let x: Int
        let y: Int
    }

    /// A piece of a line: along a vertical track, and from there to the left and to the right.
    struct Line {
        let net: Int
        let track: Int
        /// Where it goes from the track: `x` is the side of a box or the middle of a column.
        let ends: [(x: Int, y: Int)]
    }

    /// A line's end at a box.
    struct LineEnd {
        let net: Int
        let end: DiagramNet.End
        let x: Int
        let y: Int
        /// Whether the line leaves the box to the right.
        let isRight: Bool
    }

    private(set) var boxes: [PlacedBox] = []
    private(set) var lines: [Line] = []
    private(set) var ends: [LineEnd] = []
    private(set) var width = 0
    private(set) var height = 0

    private static let partGap = 40

    init(_ graph: DiagramGraph) {
        let columns = DiagramColumns(count: graph.boxes.count, nets: graph.nets)
        let drawings = columns.parts().map { order in
            let members = Set(order)
            return DiagramDrawing(
                columns: DiagramColumns.deal(order, boxes: graph.boxes), graph: graph,
                nets: graph.nets.enumerated().filter { members.contains($0.element.hub.box) }
                    .map { (number: $0.offset, net: $0.element) })
        }
        pack(drawings)
    }

    /// Sets the unconnected parts of a diagram in rows, the highest first.
    private mutating func pack(_ parts: [DiagramDrawing]) {
        let area = parts.reduce(0.0) { $0 + Double($1.width + Self.partGap) * Double($1.height + Self.partGap) }
        let limit = max(parts.map(\.width).max() ?? 0, Int((1.5 * area).squareRoot()))
        var (x, y, rowHeight) = (0, 0, 0)
        let order = parts.indices.sorted { (-parts[$0].height, $0) < (-parts[$1].height, $1) }
        for part in order.map({ parts[$0] }) {
            if x > 0, x + part.width > limit {
                x = 0
                y += rowHeight + Self.partGap
                rowHeight = 0
            }
            add(part, x: x, y: y)
            x += part.width + Self.partGap
            rowHeight = max(rowHeight, part.height)
        }
    }

    private mutating func add(_ part: DiagramDrawing, x: Int, y: Int) {
        boxes += part.boxes.map { PlacedBox(box: $0.box, x: $0.x + x, y: $0.y + y) }
        lines += part.lines.map { line in
            Line(net: line.net, track: line.track + x, ends: line.ends.map { ($0.x + x, $0.y + y) })
        }
        ends += part.ends.map { LineEnd(net: $0.net, end: $0.end, x: $0.x + x, y: $0.y + y, isRight: $0.isRight) }
        width = max(width, x + part.width)
        height = max(height, y + part.height)
    }

    /// Draws a connected part.
    private init(columns: [[Int]], graph: DiagramGraph, nets: [(number: Int, net: DiagramNet)]) {
        let part = DiagramPart(columns: columns, boxes: graph.boxes, nets: nets)
        let tops = DiagramPlacement.tops(of: part)
        var left = 0
        var sides: [(left: Int, right: Int)] = []
        var tracks: [DiagramTracks] = []
        for (column, members) in columns.enumerated() {
            let right = left + (members.map { graph.boxes[$0].width }.max() ?? 0)
            sides.append((left, right))
            let channel = DiagramTracks(part.channels[column], of: part, tops: tops)
            tracks.append(channel)
            let isLast = column == columns.count - 1
            left = right + (isLast && channel.count == 0 ? 0 : channel.width)
        }
        width = left
        for (node, top) in zip(part.nodes, tops) {
            height = max(height, top + node.height)
            guard let box = node.box else { continue }
            // All boxes of a column are as wide as the widest, so that lines begin at one height above another.
            boxes.append(
                PlacedBox(box: graph.boxes[box].widened(sides[node.column]), x: sides[node.column].left, y: top))
        }
        let netOfNumber = Dictionary(uniqueKeysWithValues: nets.map { ($0.number, $0.net) })
        for (column, channel) in tracks.enumerated() {
            for (stretch, track) in zip(part.channels[column], channel.tracks) {
                var points: [(x: Int, y: Int)] = []
                for (stop, isRight) in stretch.left.map({ ($0, true) }) + stretch.right.map({ ($0, false) }) {
                    let node = part.nodes[stop.node]
                    let y = DiagramTracks.height(of: stop, leavingRight: isRight, in: part, tops: tops)
                    guard let box = node.box, let net = netOfNumber[stretch.net] else {
                        points.append(((sides[node.column].left + sides[node.column].right) / 2, y))
                        continue
                    }
                    let x = isRight ? sides[node.column].right : sides[node.column].left
                    points.append((x, y))
                    let isHub = net.hub == DiagramNet.Terminal(box: box, offset: stop.offset)
                    ends.append(
                        LineEnd(net: stretch.net, end: isHub ? net.hubEnd : net.leafEnd, x: x, y: y, isRight: isRight))
                }
                lines.append(Line(net: stretch.net, track: sides[column].right + track, ends: points))
            }
        }
    }
}

extension DiagramBox {
    fileprivate func widened(_ sides: (left: Int, right: Int)) -> DiagramBox {
        var box = self
        box.width = sides.right - sides.left
        return box
    }
}
