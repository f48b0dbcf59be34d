import Foundation

extension ResultsArrangement {
    /// Where an object was before the changes.
    private struct Departure: TouchedObject {
        let object: NSManagedObject
        let section: ResultsSection
        let path: IndexPath
        let arrival: Int
        let stays: Bool
        var gap = 0
    }

    /// An object and the order in which it came.
    private typealias Entry = (object: NSManagedObject, arrival: Int)

    /// Takes objects out, puts others in, and puts those that were changed where they belong now.
    ///
    /// - Parameters:
    ///   - departing: objects that are here and no longer among the results.
    ///   - staying: objects that are here and were changed.
    ///   - arriving: objects that aren't here and are among the results now, in the order that equal ones get.
    func apply(
        departing: [NSManagedObject], staying: [NSManagedObject], arriving: [NSManagedObject]
    ) -> ResultsChanges {
        buildPlaces()
        let gone = Self.withGaps(departures(departing, stays: false) + departures(staying, stays: true))
        remove(gone)
        let emptied = removeEmptySections(gone)
        let new = arriving.map { object -> Entry in
            defer { nextArrival += 1 }
            return (object, nextArrival)
        }
        let created = insert(gone.filter(\.stays).map { ($0.object, $0.arrival) } + new)
        let predecessors = predecessors(of: created, among: emptied)
        var changes = ResultsChanges()
        let kept = Set(predecessors.values.map { ObjectIdentifier($0) })
        changes.sections = emptied.filter { !kept.contains(ObjectIdentifier($0)) }
            .map { ResultsChanges.SectionChange(section: $0, type: .delete, index: $0.index) }
        changes.sections += created.filter { predecessors[ObjectIdentifier($0)] == nil }
            .map { ResultsChanges.SectionChange(section: $0, type: .insert, index: $0.index) }
        changes.objects = objectChanges(gone, arriving, predecessors)
        return changes
    }

    // MARK: Taking out

    private func departures(_ objects: [NSManagedObject], stays: Bool) -> [Departure] {
        objects.compactMap { object in
            guard let place = places?[ObjectIdentifier(object)] else { return nil }
            let section = place.block.section
            return Departure(
                object: object, section: section,
                path: [section.index, section.index(of: object, in: place.block)], arrival: place.arrival, stays: stays)
        }
    }

    /// The touched objects by their paths, with the gaps before them.
    private static func withGaps<Touched: TouchedObject>(_ touched: [Touched]) -> [Touched] {
        var sorted = touched.sorted { $0.path < $1.path }
        var (section, before) = (-1, 0)
        for index in sorted.indices {
            if sorted[index].path.section != section { (section, before) = (sorted[index].path.section, 0) }
            sorted[index].gap = sorted[index].path.row - before
            before += 1
        }
        return sorted
    }

    private func remove(_ departures: [Departure]) {
        for departure in departures {
            guard let place = places?.removeValue(forKey: ObjectIdentifier(departure.object)) else { continue }
            departure.section.remove(departure.object, from: place.block)
        }
        for (index, departure) in departures.enumerated()
        where index == 0 || departures[index - 1].section !== departure.section {
            departure.section.compact()
        }
    }

    /// The sections that have lost their last object, in order, with the indexes that they had.
    private func removeEmptySections(_ departures: [Departure]) -> [ResultsSection] {
        guard order.sectionNameKeyPath != nil else { return [] }
        var emptied: [ResultsSection] = []
        for departure in departures where departure.section.count == 0 && emptied.last !== departure.section {
            emptied.append(departure.section)
            sectionByName[departure.section.name] = nil
        }
        if !emptied.isEmpty { sections.removeAll { $0.count == 0 } }
        return emptied
    }

    // MARK: Putting in

    /// - Returns: the sections that had to be made, in order.
    private func insert(_ entries: [Entry]) -> [ResultsSection] {
        var unplaced: [String: [Entry]] = [:]
        for entry in entries {
            let name = order.sectionName(of: entry.object)
            if let section = sectionByName[name] {
                insert(entry, into: section)
            } else {
                unplaced[name, default: []].append(entry)
            }
        }
        let made = unplaced.map { name, entries in
            let sorted = entries.sorted(by: precedes)
            let section = makeSection(name, sorted.map(\.object))
            for block in section.blocks { recordMembers(of: block) }
            for entry in sorted { setArrival(entry) }
            return section
        }
        return addSections(made)
    }

    private func insert(_ entry: Entry, into section: ResultsSection) {
        let (block, cutOff) = section.insert(entry.object) { member in
            order.precedes(member, entry.object) ?? (arrival(of: member) < entry.arrival)
        }
        places?[ObjectIdentifier(entry.object)] = Place(block: block, arrival: entry.arrival)
        if let cutOff { recordMembers(of: cutOff) }
    }

    /// Records which block objects are in now.
    private func recordMembers(of block: ResultsBlock) {
        for object in block.objects {
            places?[ObjectIdentifier(object), default: Place(block: block, arrival: 0)].block = block
        }
    }

    private func setArrival(_ entry: Entry) {
        guard let block = places?[ObjectIdentifier(entry.object)]?.block else { return }
        places?[ObjectIdentifier(entry.object)] = Place(block: block, arrival: entry.arrival)
    }

    private func arrival(of object: NSManagedObject) -> Int { places?[ObjectIdentifier(object)]?.arrival ?? 0 }

    private func precedes(_ first: Entry, _ second: Entry) -> Bool {
        order.precedes(first.object, second.object) ?? (first.arrival < second.arrival)
    }

    /// Puts sections where their first objects belong.
    private func addSections(_ made: [ResultsSection]) -> [ResultsSection] {
        defer { for (index, section) in sections.enumerated() { section.index = index } }
        if made.isEmpty { return [] }
        func entry(_ section: ResultsSection) -> Entry {
            let first = section.blocks[0].objects[0]
            return (first, arrival(of: first))
        }
        let new = made.sorted { precedes(entry($0), entry($1)) }
        var all: [ResultsSection] = []
        all.reserveCapacity(sections.count + new.count)
        var taken = 0
        for section in new {
            let first = entry(section)
            let next = partition(sections.count) { precedes(entry(sections[$0]), first) }
            // Sections that aren't in order among each other, as a key path may have them, stay as they are.
            if next > taken {
                all += sections[taken..<next]
                taken = next
            }
            all.append(section)
        }
        sections = all + sections[taken...]
        return new
    }

    // MARK: What has changed

    /// The sections that lost all their objects and got others under the same name, in the same place: to clients, they have
    /// been there all the time.
    private func predecessors(
        of created: [ResultsSection], among emptied: [ResultsSection]
    ) -> [ObjectIdentifier: ResultsSection] {
        guard !created.isEmpty, !emptied.isEmpty else { return [:] }
        let ranks = Dictionary(uniqueKeysWithValues: emptied.enumerated().map { ($1.name, $0) })
        var pairs: [(section: ResultsSection, rank: Int)] = []
        for (place, section) in created.enumerated() {
            guard let rank = ranks[section.name] else { continue }
            // As many sections that were always there come before it as did.
            if emptied[rank].index - rank == section.index - place { pairs.append((section, rank)) }
        }
        let isKept = LongestRisingRun.members(of: pairs.map(\.rank))
        var result: [ObjectIdentifier: ResultsSection] = [:]
        for (pair, isKept) in zip(pairs, isKept) where isKept {
            result[ObjectIdentifier(pair.section)] = emptied[pair.rank]
        }
        return result
    }

    /// An object's place after the changes.
    private struct Arrival: TouchedObject {
        let object: NSManagedObject
        let section: ResultsSection
        let path: IndexPath
        /// The place among the departures of an object that was here before.
        let departure: Int?
        var gap = 0
    }

    private func objectChanges(
        _ gone: [Departure], _ arriving: [NSManagedObject], _ predecessors: [ObjectIdentifier: ResultsSection]
    ) -> [ResultsChanges.ObjectChange] {
        let arrivals = arrivals(gone, arriving)
        /// Those that have as many untouched objects before them as they had.
        let candidates = arrivals.indices.filter { index in
            let arrival = arrivals[index]
            guard let departure = arrival.departure.map({ gone[$0] }) else { return false }
            let origin = predecessors[ObjectIdentifier(arrival.section)] ?? arrival.section
            return departure.section === origin && departure.gap == arrival.gap
        }
        var isInPlace = [Bool](repeating: false, count: arrivals.count)
        let run = LongestRisingRun.members(of: candidates.compactMap { arrivals[$0].departure })
        for (candidate, isInRun) in zip(candidates, run) { isInPlace[candidate] = isInRun }

        var (inserted, moved, updated) = (
            [ResultsChanges.ObjectChange](), [ResultsChanges.ObjectChange](), [ResultsChanges.ObjectChange]()
        )
        for (index, arrival) in arrivals.enumerated() {
            guard let departure = arrival.departure else {
                inserted.append(.init(object: arrival.object, type: .insert, old: nil, new: arrival.path))
                continue
            }
            let old = gone[departure].path
            if isInPlace[index] {
                updated.append(.init(object: arrival.object, type: .update, old: old, new: arrival.path))
            } else {
                moved.append(.init(object: arrival.object, type: .move, old: old, new: arrival.path))
            }
        }
        let deleted = gone.filter { !$0.stays }
            .map { ResultsChanges.ObjectChange(object: $0.object, type: .delete, old: $0.path, new: nil) }
        return deleted + inserted + moved + updated
    }

    private func arrivals(_ gone: [Departure], _ arriving: [NSManagedObject]) -> [Arrival] {
        func arrival(_ object: NSManagedObject, _ departure: Int?) -> Arrival? {
            guard let block = places?[ObjectIdentifier(object)]?.block else { return nil }
            let section = block.section
            return Arrival(
                object: object, section: section, path: [section.index, section.index(of: object, in: block)],
                departure: departure)
        }
        var all = gone.indices.filter { gone[$0].stays }.compactMap { arrival(gone[$0].object, $0) }
        all += arriving.compactMap { arrival($0, nil) }
        return Self.withGaps(all)
    }
}

/// An object that the changes touch, at its place before or after them.
private protocol TouchedObject {
    var path: IndexPath { get }
    /// How many objects that the changes don't touch come before it in its section.
    var gap: Int { get set }
}

/// Finds which elements of a list keep their order when some may have moved: those of a longest rising run of old indexes.
enum LongestRisingRun {
    /// Whether each number belongs to a longest rising run; one run where there are several.
    ///
    /// The others have moved: no smaller set explains the new order. Takes n log n steps.
    static func members(of numbers: [Int]) -> [Bool] {
        /// For each length, the place at which a run of that length ends lowest.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: numbers.count)
        for (place, number) in numbers.enumerated() {
            let length = partition(ends.count) { numbers[ends[$0]] < number }
            if length > 0 { before[place] = ends[length - 1] }
            if length == ends.count { ends.append(place) } else { ends[length] = place }
        }
        var isInRun = [Bool](repeating: false, count: numbers.count)
        var place = ends.last ?? -1
        while place >= 0 {
            isInRun[place] = true
            place = before[place]
        }
        return isInRun
    }
}

/// How one event has changed the results of a controller.
struct ResultsChanges {
    struct ObjectChange {
        let object: NSManagedObject
        let type: NSFetchedResultsChangeType
        /// Where it was before all changes.
        let old: IndexPath?
        /// Where it is after all changes.
        let new: IndexPath?
    }

    struct SectionChange {
        let section: ResultsSection
        let type: NSFetchedResultsChangeType
        let index: Int
    }

    /// Deletions first, then insertions, each by index.
    var sections: [SectionChange] = []
    /// Deletions, insertions, moves, updates, each by index path.
    var objects: [ObjectChange] = []

    var isEmpty: Bool { sections.isEmpty && objects.isEmpty }

    /// The changes of a controller without sections, as the difference of two lists of IDs.
    var difference: CollectionDifference<NSManagedObjectID>? {
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
        for change in objects {
            let id = change.object.objectID
            let isBoth = change.old != nil && change.new != nil
            if let old = change.old {
                changes.append(.remove(offset: old.row, element: id, associatedWith: isBoth ? change.new?.row : nil))
            }
            if let new = change.new {
                changes.append(.insert(offset: new.row, element: id, associatedWith: isBoth ? change.old?.row : nil))
            }
        }
        return CollectionDifference(changes)
    }
}
