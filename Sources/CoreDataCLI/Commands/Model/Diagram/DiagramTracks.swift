/// The vertical tracks between two columns: one for each net, shared by nets that don't meet.
struct DiagramTracks {
    private static let distance = 8
    /// Room for what is drawn at the ends of lines.
    private static let margin = 40

    /// For each stretch, how far its track is from the column at the left.
    let tracks: [Int]
    let count: Int

    /// The distance between the two columns.
    var width: Int { 2 * Self.margin + max(0, count - 1) * Self.distance }

    init(_ stretches: [DiagramPart.Stretch], of part: DiagramPart, tops: [Int]) {
        let spans = stretches.map { stretch in
            let heights =
                stretch.left.map { Self.height(of: $0, leavingRight: true, in: part, tops: tops) }
                + stretch.right.map { Self.height(of: $0, leavingRight: false, in: part, tops: tops) }
            return (top: heights.min() ?? 0, bottom: heights.max() ?? 0)
        }
        var ends: [Int] = []
        var tracks = [Int](repeating: 0, count: stretches.count)
        for number in spans.indices.sorted(by: { (spans[$0].top, $0) < (spans[$1].top, $1) }) {
            let free = ends.firstIndex { $0 + Self.distance <= spans[number].top }
            let track = free ?? ends.count
            if track == ends.count { ends.append(0) }
            ends[track] = spans[number].bottom
            tracks[number] = Self.margin + track * Self.distance
        }
        self.tracks = tracks
        count = ends.count
    }

    /// How far down a line meets a node.
    ///
    /// Nodes lie on a grid of eight points. Lines to the right, lines from the left, and crossings of even and of odd
    /// columns each have an odd number of points of their own beyond it, so that no two lie on one another.
    static func height(of stop: DiagramPart.Stop, leavingRight: Bool, in part: DiagramPart, tops: [Int]) -> Int {
        let node = part.nodes[stop.node]
        let height = tops[stop.node] + stop.offset
        guard node.box == nil else { return height + (leavingRight ? -1 : 1) }
        return height + (node.column.isMultiple(of: 2) ? -1 : 1)
    }
}
