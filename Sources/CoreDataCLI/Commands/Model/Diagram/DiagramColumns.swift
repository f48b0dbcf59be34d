/// Puts the boxes of a connected part of a diagram into columns, so that most lines lead from one to the next.
///
/// The boxes are taken in the order of Cuthill and McKee (breadth first, from a box at the outside, the less connected
/// neighbours first) and dealt into columns of about the same height.
struct DiagramColumns {
    private let neighbours: [[Int]]

    /// - Parameter count: the number of boxes of the whole diagram.
    init(count: Int, nets: [DiagramNet]) {
        var sets = [Set<Int>](repeating: [], count: count)
        for net in nets {
            for leaf in net.leaves where leaf.box != net.hub.box {
                sets[leaf.box].insert(net.hub.box)
                sets[net.hub.box].insert(leaf.box)
            }
        }
        neighbours = sets.map { $0.sorted() }
    }

    /// The connected parts, each with its boxes in an order in which neighbours are near each other.
    func parts() -> [[Int]] {
        var isTaken = [Bool](repeating: false, count: neighbours.count)
        var parts: [[Int]] = []
        for start in neighbours.indices where !isTaken[start] {
            var order = breadthFirst(from: start)
            // What is reached last lies at the outside; twice is enough to get near the longest distance.
            for _ in 0..<2 { order = breadthFirst(from: order[order.count - 1]) }
            for box in order { isTaken[box] = true }
            parts.append(order)
        }
        return parts
    }

    private func breadthFirst(from start: Int) -> [Int] {
        var seen: Set<Int> = [start]
        var order = [start]
        var next = 0
        while next < order.count {
            let found = neighbours[order[next]].filter { seen.insert($0).inserted }
            order += found.sorted { (neighbours[$0].count, $0) < (neighbours[$1].count, $1) }
            next += 1
        }
        return order
    }

    /// Deals boxes into columns that make the drawing somewhat wider than high.
    static func deal(_ order: [Int], boxes: [DiagramBox]) -> [[Int]] {
        let gap = DiagramPlacement.boxGap
        let total = order.reduce(0) { $0 + boxes[$1].height + gap }
        let width = order.reduce(0) { $0 + boxes[$1].width } / max(order.count, 1) + 120
        let number = max(1, (1.4 * Double(total) / Double(width)).squareRoot())
        let limit = Int(Double(total) / number)
        var columns: [[Int]] = [[]]
        var height = 0
        for box in order {
            let added = boxes[box].height + gap
            if height > 0, height + added / 2 > limit {
                columns.append([])
                height = 0
            }
            columns[columns.count - 1].append(box)
            height += added
        }
        return columns
    }
}
