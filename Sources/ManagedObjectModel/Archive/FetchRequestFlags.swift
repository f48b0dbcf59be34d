/// The bits of `NSFetchRequestFlags` in archived fetch requests.
///
/// 30 is the default (seen in fixtures); which bit is which is inferred from the order of the defaults and from
/// XML models whose compiled form is known; see `Documentation/Differences.md`.
struct FetchRequestFlags: OptionSet {
    let rawValue: Int

    static let returnsDistinctResults = FetchRequestFlags(rawValue: 1)
    static let includesSubentities = FetchRequestFlags(rawValue: 2)
    static let includesPropertyValues = FetchRequestFlags(rawValue: 4)
    static let returnsObjectsAsFaults = FetchRequestFlags(rawValue: 8)
    static let includesPendingChanges = FetchRequestFlags(rawValue: 16)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(of request: AnyFetchRequest) {
        self = []
        if request.returnsDistinctResults { insert(.returnsDistinctResults) }
        if request.includesSubentities { insert(.includesSubentities) }
        if request.includesPropertyValues { insert(.includesPropertyValues) }
        if request.returnsObjectsAsFaults { insert(.returnsObjectsAsFaults) }
        if request.includesPendingChanges { insert(.includesPendingChanges) }
    }

    func apply(to request: AnyFetchRequest) {
        request.returnsDistinctResults = contains(.returnsDistinctResults)
        request.includesSubentities = contains(.includesSubentities)
        request.includesPropertyValues = contains(.includesPropertyValues)
        request.returnsObjectsAsFaults = contains(.returnsObjectsAsFaults)
        request.includesPendingChanges = contains(.includesPendingChanges)
    }
}
