import Foundation

// On Apple's platforms these, and those of the class, come with the frameworks for user interfaces. Foundation for Linux has neither.
extension IndexPath {
    /// The path of a row in a section.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The path of an item in a section.
    public init(item: Int, section: Int) { self = [section, item] }

    /// The section: the first of the two numbers.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The row in the section: the second of the two numbers.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The item in the section: the second of the two numbers.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}

extension NSIndexPath {
    /// The path of a row in a section.
    public convenience init(forRow row: Int, inSection section: Int) { self.init(indexes: [section, row], length: 2) }

    /// The path of an item in a section.
    public convenience init(forItem item: Int, inSection section: Int) {
        self.init(indexes: [section, item], length: 2)
    }

    /// The section: the first of the two numbers.
    public var section: Int { index(atPosition: 0) }

    /// The row in the section: the second of the two numbers.
    public var row: Int { index(atPosition: 1) }

    /// The item in the section: the second of the two numbers.
    public var item: Int { index(atPosition: 1) }
}
