/// How an element of an index is stored.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// In a B-tree, in the order of its values.
    case binary = 0
    /// In an R-tree, for ranges of numbers in several dimensions.
    case rTree = 1
}
