import Foundation

/// The objects of one section, in order.
final class ResultsSection: NSFetchedResultsSectionInfo {
    let name: String
    /// The place among the controller's sections.
    var index = 0
    /// How many objects the section has.
    private(set) var count = 0
    private(set) var blocks: ContiguousArray<ResultsBlock> = []
    private var placesAreValid = true
    private let title: (String) -> String?
    private var listed: [Any]?

    /// - Parameter title: gives the index title for a name.
    init(name: String, title: @escaping (String) -> String?) {
        self.name = name
        self.title = title
    }

    // MARK: What clients see

    var indexTitle: String? { title(name) }
    var numberOfObjects: Int { count }
    var objects: [Any]? {
        if let listed { return listed }
        var all: [Any] = []
        all.reserveCapacity(count)
        for block in blocks { for object in block.objects { all.append(object) } }
        listed = all
        return all
    }

    // MARK: Places

    /// The object in a place, in the logarithm of the number of blocks.
    func object(at index: Int) -> NSManagedObject {
        renumber()
        let next = partition(blocks.count) { blocks[$0].start <= index }
        let block = blocks[next - 1]
        return block.objects[index - block.start]
    }

    /// The place of an object that is in a block of this section.
    func index(of object: NSManagedObject, in block: ResultsBlock) -> Int {
        renumber()
        guard let offset = block.objects.firstIndex(where: { $0 === object }) else {
            preconditionFailure("The object isn't in its block.")
        }
        return block.start + offset
    }

    private func renumber() {
        if placesAreValid { return }
        var start = 0
        for (place, block) in blocks.enumerated() {
            block.place = place
            block.start = start
            start += block.objects.count
        }
        placesAreValid = true
    }

    // MARK: Changing

    /// Fills an empty section.
    func fill(with objects: some RandomAccessCollection<NSManagedObject>) {
        var rest = objects[...]
        while !rest.isEmpty {
            // Half full, so that the first insertions needn't cut.
            blocks.append(ResultsBlock(rest.prefix(ResultsBlock.capacity / 2), of: self))
            rest = rest.dropFirst(ResultsBlock.capacity / 2)
        }
        count = objects.count
        didChange()
    }

    func remove(_ object: NSManagedObject, from block: ResultsBlock) {
        guard let offset = block.objects.firstIndex(where: { $0 === object }) else {
            preconditionFailure("The object isn't in its block.")
        }
        block.objects.remove(at: offset)
        count -= 1
        didChange()
    }

    /// Drops the blocks that removals have left empty.
    func compact() {
        guard blocks.contains(where: { $0.objects.isEmpty }) else { return }
        blocks.removeAll { $0.objects.isEmpty }
        placesAreValid = false
    }

    /// Puts an object behind all those that come before it. No block may be empty.
    ///
    /// - Parameter precedes: whether a member comes before the object.
    /// - Returns: its block, and a new one that has taken over the end of a block that was full.
    func insert(
        _ object: NSManagedObject, behind precedes: (NSManagedObject) -> Bool
    ) -> (block: ResultsBlock, cutOff: ResultsBlock?) {
        if blocks.isEmpty { blocks.append(ResultsBlock([], of: self)) }
        let next = partition(blocks.count) { blocks[$0].objects.first.map(precedes) ?? true }
        let place = max(0, next - 1)
        let block = blocks[place]
        block.objects.insert(object, at: partition(block.objects.count) { precedes(block.objects[$0]) })
        count += 1
        didChange()
        guard block.objects.count > ResultsBlock.capacity else { return (block, nil) }
        let half = block.objects.count / 2
        let cutOff = ResultsBlock(block.objects[half...], of: self)
        block.objects.removeSubrange(half...)
        blocks.insert(cutOff, at: place + 1)
        return (block, cutOff)
    }

    private func didChange() {
        placesAreValid = false
        listed = nil
    }
}

/// The first of so many places for which a condition doesn't hold that holds for all before.
func partition(_ count: Int, _ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
        let middle = low + (high - low) / 2
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
}
