/// What a fetch gives for each match, with the raw values that model files use.
public struct NSFetchRequestResultType: OptionSet, Hashable, Sendable {
    /// The number in model files.
    public let rawValue: UInt

    /// Makes the type of that number.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Managed objects.
    public static let managedObjectResultType = NSFetchRequestResultType([])
    /// The IDs of managed objects.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of the properties to fetch.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// One number: how many there are.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
