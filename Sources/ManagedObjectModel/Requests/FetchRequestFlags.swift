/// The bits of `NSFetchRequestFlags` in archived fetch requests.
///
/// The default is 30 (seen in model caches), so the lowest bit is the only one of the five that is off by default.
/// Which of the others is which no file shows: their order is our choice.
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
