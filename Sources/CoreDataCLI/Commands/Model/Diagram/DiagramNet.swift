import enum CoreData.NSDeleteRule

/// A connection of boxes: a relationship with its inverse, or an entity with those that inherit from it.
struct DiagramNet {
    /// Where a line meets a box: the box, and how far below its top.
    struct Terminal: Hashable {
        let box: Int
        let offset: Int
    }

    /// What is drawn at the end of a line.
    enum Head {
        case none
        /// The line leads to one object.
        case one
        /// The line leads to many objects.
        case many
        /// The line leads to the entity that is inherited from.
        case superentity
    }

    /// An end of the line, as it looks.
    struct End {
        let head: Head
        /// What happens to the objects at the other end when one at this end is deleted.
        let deleteRule: NSDeleteRule?
    }

    let hub: Terminal
    let hubEnd: End
    private(set) var leaves: [Terminal]
    let leafEnd: End

    mutating func add(_ leaf: Terminal) {
        leaves.append(leaf)
    }

    var terminals: [Terminal] { [hub] + leaves }
}
