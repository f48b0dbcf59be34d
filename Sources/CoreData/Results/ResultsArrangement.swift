import Foundation

/// The objects of a fetched results controller, in sections and in order, kept up change by change.
///
/// A change of k objects among n costs k log n comparisons, and walks over the blocks and sections that it touches.
/// Objects that compare equal stay in the order in which they came.
final class ResultsArrangement {
    let order: ResultsOrder
    var sections: [ResultsSection] = []
    var sectionByName: [String: ResultsSection] = [:]
    /// Built when a place is first asked for: a controller that tracks nothing needs none.
    var places: [ObjectIdentifier: Place]?
    var nextArrival = 0
    private let title: (String) -> String?

    struct Place {
        var block: ResultsBlock
        /// The order of arrival, which tells objects apart that compare equal.
        let arrival: Int
    }

    /// - Parameters:
    ///   - objects: the objects in order.
    ///   - runs: name and number of objects of each section, where they are known; their sum is the number of objects.
    ///   - title: gives the index title for a section's name.
    /// - Throws: an error where objects of one section don't follow each other.
    init(
        _ objects: [NSManagedObject], order: ResultsOrder, runs: [SectionRun]?, title: @escaping (String) -> String?
    ) throws {
        self.order = order
        self.title = title
        guard let keyPath = order.sectionNameKeyPath else {
            append(SectionRun(name: "", count: objects.count), objects[...])
            return
        }
        var start = 0
        for run in try runs ?? SectionRun.runs(of: objects.lazy.map(order.sectionName), by: keyPath) {
            append(run, objects[start..<start + run.count])
            start += run.count
        }
    }

    private func append(_ run: SectionRun, _ objects: ArraySlice<NSManagedObject>) {
        let section = makeSection(run.name, objects)
        section.index = sections.count
        sections.append(section)
    }

    func makeSection(_ name: String, _ objects: some RandomAccessCollection<NSManagedObject>) -> ResultsSection {
        let section = ResultsSection(name: name, title: title)
        section.fill(with: objects)
        sectionByName[name] = section
        return section
    }

    // MARK: Looking up

    var count: Int { sections.reduce(0) { $0 + $1.count } }
    var runs: [SectionRun] { sections.map { SectionRun(name: $0.name, count: $0.count) } }

    func contains(_ object: NSManagedObject) -> Bool {
        buildPlaces()
        return places?[ObjectIdentifier(object)] != nil
    }

    func indexPath(of object: NSManagedObject) -> IndexPath? {
        buildPlaces()
        guard let block = places?[ObjectIdentifier(object)]?.block else { return nil }
        return [block.section.index, block.section.index(of: object, in: block)]
    }

    func buildPlaces() {
        guard places == nil else { return }
        var made: [ObjectIdentifier: Place] = [:]
        made.reserveCapacity(count)
        for section in sections {
            for block in section.blocks {
                for object in block.objects {
                    made[ObjectIdentifier(object)] = Place(block: block, arrival: nextArrival)
                    nextArrival += 1
                }
            }
        }
        places = made
    }
}
