@_spi(Engine) import CoreDataRows

/// What a context remembers of the relationships that were read lately, to read those of more objects at once.
struct RelationshipRuns {
    /// A relationship, the same for all subentities that inherit it.
    private struct Key: Hashable {
        private let description: ObjectIdentifier

        init(_ property: PropertyLayout) { description = ObjectIdentifier(property.property) }
    }

    private struct Run {
        var page: ObjectIdentifier?
        var count = 0
        /// About how many destinations an object has.
        var destinations = 0
        /// How often not to look for others after a look that found too few, and how often still.
        var pause = 0
        var pausesLeft = 0
    }

    private var runs: [Key: Run] = [:]

    /// More keys than that aren't read on the guess that they are wanted.
    private static let mostDestinations = 20_000

    /// How many objects of a page to read a relationship of, besides the one that was asked for.
    mutating func siblingCount(of property: PropertyLayout, on page: RowPage) -> Int {
        var run = runs[Key(property)] ?? Run()
        defer { runs[Key(property)] = run }
        guard run.page == ObjectIdentifier(page) else {
            run.page = ObjectIdentifier(page)
            // A program that has gone through a whole page mostly goes through the next one too.
            run.count = run.count >= RowPage.defaultCapacity ? run.count : 1
            (run.pause, run.pausesLeft) = (0, 0)
            return limited(run.count - 1, run)
        }
        if run.pausesLeft > 0 {
            run.pausesLeft -= 1
            return 0
        }
        run.count = min(run.count * 4, RowPage.defaultCapacity)
        return limited(run.count - 1, run)
    }

    private func limited(_ count: Int, _ run: Run) -> Int {
        min(count, Self.mostDestinations / max(1, run.destinations))
    }

    /// Records how many others a look through the whole page has found. Such a look takes as long as the page has rows, so that one for
    /// each object would take the square of that.
    mutating func recordSiblings(_ found: Int, of wanted: Int, _ property: PropertyLayout) {
        var run = runs[Key(property)] ?? Run()
        run.pause = found < wanted ? max(1, run.pause * 2) : 0
        run.pausesLeft = run.pause
        runs[Key(property)] = run
    }

    mutating func recordDestinations(_ count: Int, of property: PropertyLayout) {
        runs[Key(property), default: Run()].destinations = count
    }

    // MARK: One at a time

    /// The to-one that was followed last, to an object whose row isn't in memory.
    private var lastToOne: (property: PropertyLayout, destination: ObjectIdentifier)?
    private var singles: [Key: Int] = [:]

    /// So many reads of one relationship in a row, an object at a time, are worth a word.
    private static let manySingles = 50

    mutating func recordFault(at property: PropertyLayout, to destination: NSManagedObject) {
        lastToOne = (property, ObjectIdentifier(destination))
    }

    /// Counts that the row of a single object was read.
    mutating func countRowRead(of object: NSManagedObject) -> FetchDiagnostic? {
        guard let last = lastToOne, last.destination == ObjectIdentifier(object) else { return nil }
        return countSingleRead(last.property)
    }

    /// Counts that a relationship of a single object was read; says what there is to say about it.
    mutating func countSingleRead(_ property: PropertyLayout) -> FetchDiagnostic? {
        let count = (singles[Key(property)] ?? 0) + 1
        singles[Key(property)] = count
        guard count == Self.manySingles + 1 else { return nil }
        return FetchDiagnostic(
            entityName: Self.declaringEntity(of: property).name,
            cause: .faultedOneByOne(relationship: property.name, count: count))
    }

    private static func declaringEntity(of property: PropertyLayout) -> EntityLayout {
        var entity = property.owner
        while let above = entity.superlayout, above.property(named: property.name) != nil { entity = above }
        return entity
    }

    /// A fetch ends what was a row of single reads.
    mutating func endSingles() {
        singles = [:]
        lastToOne = nil
    }
}
