/// A connected part of a diagram in columns, with a place in each column that a line has to cross.
struct DiagramPart {
    /// What takes room in a column: a box, or the crossing of a net.
    struct Node {
        /// The box's number; nil for a crossing.
        let box: Int?
        let column: Int
        let height: Int
    }

    /// One end of a stretch of a net between a column and the next.
    struct Stop: Hashable {
        let node: Int
        /// Below the node's top.
        let offset: Int
    }

    /// All of a net between a column and the next: the stops at either side are connected with each other.
    struct Stretch {
        let net: Int
        var left: [Stop] = []
        var right: [Stop] = []
    }

    static let crossingHeight = 8

    private(set) var nodes: [Node] = []
    private(set) var columns: [[Int]]
    /// The stretches right of each column.
    private(set) var channels: [[Stretch]]
    private var nodeOfBox: [Int: Int] = [:]

    init(columns boxColumns: [[Int]], boxes: [DiagramBox], nets: [(number: Int, net: DiagramNet)]) {
        columns = boxColumns.map { _ in [] }
        channels = boxColumns.map { _ in [] }
        for (column, members) in boxColumns.enumerated() {
            for box in members {
                nodeOfBox[box] = addNode(Node(box: box, column: column, height: boxes[box].height))
            }
        }
        for (number, net) in nets { route(net, number) }
    }

    func node(ofBox box: Int) -> Int? { nodeOfBox[box] }

    private mutating func addNode(_ node: Node) -> Int {
        nodes.append(node)
        columns[node.column].append(nodes.count - 1)
        return nodes.count - 1
    }

    private func stop(_ terminal: DiagramNet.Terminal) -> (stop: Stop, column: Int)? {
        nodeOfBox[terminal.box].map { (Stop(node: $0, offset: terminal.offset), nodes[$0].column) }
    }

    /// Leads a net from its hub to the right and to the left, as far as there are leaves.
    private mutating func route(_ net: DiagramNet, _ number: Int) {
        guard let (hub, hubColumn) = stop(net.hub) else { return }
        let leaves = net.leaves.compactMap(stop)
        let near = leaves.filter { $0.column == hubColumn }.map(\.stop)
        let right = leaves.filter { $0.column > hubColumn }
        let left = leaves.filter { $0.column < hubColumn }
        if !near.isEmpty || !right.isEmpty {
            let last = max(right.map(\.column).max() ?? 0, hubColumn + 1)
            var source = [hub] + near
            for column in hubColumn..<last {
                var stretch = Stretch(net: number, left: source)
                stretch.right = right.filter { $0.column == column + 1 }.map(\.stop)
                if column + 1 < last {
                    source = [crossing(column + 1)]
                    stretch.right += source
                }
                channels[column].append(stretch)
            }
        }
        if let first = left.map(\.column).min() {
            var source = [hub]
            for column in (first..<hubColumn).reversed() {
                var stretch = Stretch(net: number, right: source)
                stretch.left = left.filter { $0.column == column }.map(\.stop)
                if column > first {
                    source = [crossing(column)]
                    stretch.left += source
                }
                channels[column].append(stretch)
            }
        }
    }

    private mutating func crossing(_ column: Int) -> Stop {
        let node = addNode(Node(box: nil, column: column, height: Self.crossingHeight))
        return Stop(node: node, offset: Self.crossingHeight / 2)
    }
}
