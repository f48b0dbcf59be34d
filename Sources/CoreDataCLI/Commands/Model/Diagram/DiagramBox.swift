/// An entity as it's drawn: a head of two lines, and a line for each property of its own.
struct DiagramBox {
    /// One line below the head.
    struct Line {
        let name: String
        let detail: String
        let isRelationship: Bool
    }

    /// The distance between two lines, in points like all lengths here.
    static let lineHeight = 16
    static let headHeight = 2 * lineHeight
    /// The middle of the title, below the box's top. Entities that inherit from this one are connected here.
    static let titleOffset = lineHeight / 2
    /// Where relationships without an inverse lead to.
    static let entryOffset = lineHeight
    /// The middle of the subtitle, where the entity is connected with the one that it inherits from.
    static let subtitleOffset = titleOffset + lineHeight
    static let characterWidth = 6.65
    private static let longestText = 48

    let title: String
    let subtitle: String
    let isAbstract: Bool
    let lines: [Line]
    let height: Int
    var width: Int

    init(title: String, subtitle: String, isAbstract: Bool, lines: [Line]) {
        self.title = Self.shortened(title)
        self.subtitle = Self.shortened(subtitle)
        self.isAbstract = isAbstract
        self.lines = lines.map {
            Line(
                name: Self.shortened($0.name), detail: Self.shortened($0.detail), isRelationship: $0.isRelationship)
        }
        height = Self.headHeight + lines.count * Self.lineHeight + Self.lineHeight / 2
        let lengths = self.lines.map { Self.columns(of: $0.name) + Self.columns(of: $0.detail) + 3 }
        // The title is drawn bold and larger.
        let longest = max(
            lengths.max() ?? 0, Self.columns(of: self.title) * 5 / 4, Self.columns(of: self.subtitle), 12)
        width = Int((Double(longest) * Self.characterWidth).rounded(.up)) + 16
    }

    /// The middle of a property's line, below the box's top.
    static func offset(ofLine number: Int) -> Int {
        headHeight + number * lineHeight + lineHeight / 2
    }

    private static func shortened(_ text: String) -> String {
        text.count > longestText ? text.prefix(longestText - 1) + "…" : text
    }

    /// How many columns of a fixed-width font the text takes: East Asian letters take two.
    private static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 && $1.properties.isIdeographic ? 2 : 1) }
    }
}
