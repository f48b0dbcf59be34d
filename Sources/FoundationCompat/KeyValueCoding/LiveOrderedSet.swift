import Foundation

/// An ordered set that is a view of something else: it shows what is there, and changes it with every change.
///
/// Foundation's class on Linux has a storage that a subclass can't replace, and that most methods use without calling the
/// ones that are meant to be overridden. So the storage is kept equal to the source: it is filled before it is looked at,
/// and every method that changes it hands the outcome on. The few that can't be overridden (iteration, `firstObject`,
/// `lastObject`, `reversed`) see what the last other call has seen.
package final class LiveOrderedSet: NSMutableOrderedSet {
    private var source: (any LiveOrderedSetSource)!
    /// Whether the storage is being changed, by methods that call one another.
    private var isChanging = false
    /// The source's revision that the storage holds.
    private var knownRevision: LiveOrderedSetRevision?

    package convenience init(of source: any LiveOrderedSetSource) {
        self.init(capacity: 0)
        self.source = source
        refresh()
    }

    package required convenience init?(coder: NSCoder) { nil }

    package required convenience init(arrayLiteral elements: Any...) {
        fatalError("A view of an object's key can't be written as a literal")
    }

    // MARK: The storage

    package func refresh() {
        guard source != nil, !isChanging else { return }
        let revision = source.revision
        if let revision, let knownRevision, revision.isSame(as: knownRevision) { return }
        isChanging = true
        defer { isChanging = false }
        super.removeAllObjects()
        // Foundation's `add` asks for the count in this class, which asks the source.
        for (index, element) in source.elements.enumerated() { super.insert(element, at: index) }
        knownRevision = revision
    }

    /// Changes the storage, then the source.
    private func change(_ body: () -> Void) {
        guard !isChanging else { return body() }
        refresh()
        isChanging = true
        body()
        let elements = super.array
        isChanging = false
        source.replaceElements(with: elements)
        knownRevision = source.revision
    }

    /// Changes the source, if it can be done for one element alone, and the storage likewise.
    private func changeOne(inSource: () -> Bool, inStorage: () -> Void) {
        let before = source.revision
        guard inSource() else { return change(inStorage) }
        guard let before, let after = source.revision, after.isNext(after: before) else {
            knownRevision = nil
            return
        }
        isChanging = true
        inStorage()
        isChanging = false
        knownRevision = after
        source.didChange(through: self)
    }

    // MARK: Reading

    package override var count: Int {
        refresh()
        return super.count
    }

    package override func object(at index: Int) -> Any {
        refresh()
        return super.object(at: index)
    }

    package override func index(of object: Any) -> Int {
        refresh()
        return super.index(of: object)
    }

    package override func contains(_ object: Any) -> Bool {
        refresh()
        return super.contains(object)
    }

    package override func enumerateObjects(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        refresh()
        super.enumerateObjects(block)
    }

    package override func sortedArray(
        options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
    ) -> [Any] {
        refresh()
        return super.sortedArray(options: options, usingComparator: comparator)
    }

    // MARK: Changing one element

    package override func insert(_ object: Any, at index: Int) {
        guard !isChanging else { return super.insert(object, at: index) }
        if contains(object) { return }
        precondition(index >= 0 && index <= count, "The index \(index) is out of bounds of \(count) objects.")
        changeOne(inSource: { source.insert(object, at: index) }, inStorage: { super.insert(object, at: index) })
    }

    package override func add(_ object: Any) {
        guard !isChanging else { return super.add(object) }
        insert(object, at: count)
    }

    package override func remove(_ object: Any) {
        guard !isChanging else { return super.remove(object) }
        guard contains(object) else { return }
        changeOne(inSource: { source.remove(object) }, inStorage: { super.remove(object) })
    }

    package override func removeObject(at index: Int) {
        guard !isChanging else { return super.removeObject(at: index) }
        let object = object(at: index)
        changeOne(inSource: { source.remove(object) }, inStorage: { super.removeObject(at: index) })
    }

    /// An object that has another place already leaves it for this one.
    package override func replaceObject(at index: Int, with object: Any) {
        change {
            let other = super.index(of: object)
            if other == index { return }
            super.removeObject(at: index)
            if other == NSNotFound { return super.insert(object, at: index) }
            let isBefore = other < index
            super.removeObject(at: isBefore ? other : other - 1)
            super.insert(object, at: isBefore ? index - 1 : index)
        }
    }

    // MARK: Changing several at once

    package override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        change { super.add(objects, count: count) }
    }

    package override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }

    package override func insert(_ objects: [Any], at indexes: IndexSet) {
        change { super.insert(objects, at: indexes) }
    }

    package override func removeObjects(in array: [Any]) { change { super.removeObjects(in: array) } }

    package override func removeObjects(in range: NSRange) { change { super.removeObjects(in: range) } }

    package override func removeObjects(at indexes: IndexSet) { change { super.removeObjects(at: indexes) } }

    package override func removeAllObjects() { change { super.removeAllObjects() } }

    package override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        change { super.replaceObjects(at: indexes, with: objects) }
    }

    /// Foundation's own goes through objects and places in opposite directions.
    package override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
        change {
            super.removeObjects(in: range)
            var index = range.location
            for object in UnsafeBufferPointer(start: objects, count: count) where !super.contains(object) {
                super.insert(object, at: index)
                index += 1
            }
        }
    }

    package override func exchangeObject(at index1: Int, withObjectAt index2: Int) {
        change { super.exchangeObject(at: index1, withObjectAt: index2) }
    }

    package override func moveObjects(at indexes: IndexSet, to index: Int) {
        change { super.moveObjects(at: indexes, to: index) }
    }

    package override func union(_ other: NSOrderedSet) { change { super.union(other) } }

    package override func minus(_ other: NSOrderedSet) { change { super.minus(other) } }

    /// Foundation's own never ends.
    package override func intersect(_ other: NSOrderedSet) {
        change { super.removeObjects(in: super.array.filter { !other.contains($0) }) }
    }

    package override func unionSet(_ other: Set<AnyHashable>) { change { super.unionSet(other) } }

    package override func minusSet(_ other: Set<AnyHashable>) { change { super.minusSet(other) } }

    package override func intersectSet(_ other: Set<AnyHashable>) { intersect(NSOrderedSet(set: other)) }

    package override func sort(comparator: (Any, Any) -> ComparisonResult) {
        change { super.sort(comparator: comparator) }
    }

    package override func sort(options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult)
    {
        change { super.sort(options: options, usingComparator: comparator) }
    }

    package override func sortRange(
        _ range: NSRange, options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
    ) {
        change { super.sortRange(range, options: options, usingComparator: comparator) }
    }
}
