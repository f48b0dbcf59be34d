/// Decides the order within each column and how far down each node lies: near what it is connected with.
struct DiagramPlacement {
    static let boxGap = 24
    /// All boxes lie on a grid, so that lines that leave to the right, that come from the left and that cross columns
    /// can each have heights of their own.
    static let grid = 8

    private let part: DiagramPart
    private var columns: [[Int]]
    private var tops: [Double]
    /// For each node: its own offset, and the other end.
    private let pulls: [[(offset: Int, other: DiagramPart.Stop)]]

    /// The top of each node, on the grid, from 0 on.
    static func tops(of part: DiagramPart) -> [Int] {
        var placement = DiagramPlacement(part)
        placement.improve()
        return placement.snapped()
    }

    private init(_ part: DiagramPart) {
        self.part = part
        columns = part.columns
        tops = [Double](repeating: 0, count: part.nodes.count)
        var pulls = [[(offset: Int, other: DiagramPart.Stop)]](repeating: [], count: part.nodes.count)
        for stretch in part.channels.joined() {
            // A net of many leaves pulls only along the lines to its stem.
            let stops = stretch.left + stretch.right
            let stem = stretch.left.count <= stretch.right.count ? stretch.left.first : stretch.right.first
            guard let stem = stem ?? stops.first else { continue }
            for stop in stops where stop.node != stem.node {
                pulls[stop.node].append((stop.offset, stem))
                pulls[stem.node].append((stem.offset, stop))
            }
        }
        self.pulls = pulls
        for column in columns.indices { stack(column) }
    }

    private mutating func stack(_ column: Int) {
        var top = 0.0
        for (position, node) in columns[column].enumerated() {
            if position > 0 { top += Double(gap(columns[column][position - 1], node)) }
            tops[node] = top
            top += Double(part.nodes[node].height)
        }
    }

    private func gap(_ upper: Int, _ lower: Int) -> Int {
        switch (part.nodes[upper].box, part.nodes[lower].box) {
        case (nil, nil): 0
        case (_?, _?): Self.boxGap
        default: Self.grid
        }
    }

    private func wish(_ node: Int) -> Double {
        guard !pulls[node].isEmpty else { return tops[node] }
        let sum = pulls[node].reduce(0.0) { $0 + tops[$1.other.node] + Double($1.other.offset - $1.offset) }
        return sum / Double(pulls[node].count)
    }

    private mutating func improve() {
        for sweep in 0..<24 {
            let order = sweep.isMultiple(of: 2) ? Array(columns.indices) : columns.indices.reversed()
            for column in order {
                let wishes = columns[column].map { (node: $0, top: wish($0)) }
                // The last sweeps keep the order and only straighten.
                let sorted = sweep < 18 ? wishes.sorted { middle($0) < middle($1) } : wishes
                columns[column] = sorted.map(\.node)
                settle(sorted)
            }
        }
    }

    private func middle(_ wish: (node: Int, top: Double)) -> Double {
        wish.top + Double(part.nodes[wish.node].height) / 2
    }

    /// Places nodes in that order as near to their wishes as the gaps allow (the least sum of squares: neighbours that
    /// would overlap form a block, which lies where its members want it on average).
    private mutating func settle(_ wishes: [(node: Int, top: Double)]) {
        struct Block {
            var sum: Double
            var weight: Double
            var count: Int
            var mean: Double { sum / weight }
        }
        var distances: [Double] = []
        var blocks: [Block] = []
        for (position, wish) in wishes.enumerated() {
            if position > 0 {
                let previous = wishes[position - 1].node
                let step = part.nodes[previous].height + gap(previous, wish.node)
                distances.append((distances.last ?? 0) + Double(step))
            } else {
                distances.append(0)
            }
            let weight = Double(max(pulls[wish.node].count, 1))
            blocks.append(Block(sum: weight * (wish.top - distances[position]), weight: weight, count: 1))
            while blocks.count > 1, blocks[blocks.count - 2].mean > blocks[blocks.count - 1].mean {
                let lower = blocks.removeLast()
                blocks[blocks.count - 1].sum += lower.sum
                blocks[blocks.count - 1].weight += lower.weight
                blocks[blocks.count - 1].count += lower.count
            }
        }
        var position = 0
        for block in blocks {
            for _ in 0..<block.count {
                tops[wishes[position].node] = block.mean + distances[position]
                position += 1
            }
        }
    }

    private func snapped() -> [Int] {
        let least = tops.min() ?? 0
        var result = [Int](repeating: 0, count: tops.count)
        for column in columns {
            var end = 0
            var previous: Int?
            for node in column {
                let free = previous.map { end + gap($0, node) } ?? 0
                let wanted = Int(((tops[node] - least) / Double(Self.grid)).rounded()) * Self.grid
                result[node] = max(free, wanted)
                end = result[node] + part.nodes[node].height
                previous = node
            }
        }
        return result
    }
}
