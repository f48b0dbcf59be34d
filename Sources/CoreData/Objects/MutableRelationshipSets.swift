import Foundation
import ManagedObjectModel

/// A live view of a to-many relationship: what is added and removed here is added and removed there, inverses included.
final class MutableRelationshipSet: NSMutableSet {
    private let owner: NSManagedObject
    private let property: PropertyLayout

    init(_ owner: NSManagedObject, _ property: PropertyLayout) {
        self.owner = owner
        self.property = property
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) { fatalError("A relationship's set is made by mutableSetValue(forKey:).") }
    override required init(objects: UnsafePointer<AnyObject>!, count: Int) {
        fatalError("A relationship's set is made by mutableSetValue(forKey:).")
    }
    required convenience init?(coder: NSCoder) { nil }

    private var members: Set<NSManagedObject> {
        owner.fireIfNeeded()
        return owner.members(property).members
    }

    override var count: Int { members.count }
    override func member(_ object: Any) -> Any? {
        (object as? NSManagedObject).flatMap { members.contains($0) ? $0 : nil }
    }
    override func objectEnumerator() -> NSEnumerator { NSArray(array: Array(members)).objectEnumerator() }
    override func add(_ object: Any) {
        for member in owner.checkedMembers([object], of: property) { owner.addMember(member, to: property) }
    }
    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        owner.removeMember(object, of: property)
    }
    override func removeAllObjects() { owner.replaceMembers(of: property, with: []) }
}

/// A live view of an ordered to-many relationship.
final class MutableRelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let property: PropertyLayout

    init(_ owner: NSManagedObject, _ property: PropertyLayout) {
        self.owner = owner
        self.property = property
        super.init(capacity: 0)
    }

    override required init(capacity numItems: Int) {
        fatalError("A relationship's ordered set is made by mutableOrderedSetValue(forKey:).")
    }
    override required init(objects: UnsafePointer<AnyObject>!, count: Int) {
        fatalError("A relationship's ordered set is made by mutableOrderedSetValue(forKey:).")
    }
    required convenience init?(coder: NSCoder) { nil }

    private var members: ContiguousArray<NSManagedObject> {
        owner.fireIfNeeded()
        return owner.members(property).ordered
    }

    override var count: Int { members.count }
    override func object(at index: Int) -> Any { members[index] }
    override func index(of object: Any) -> Int {
        (object as? NSManagedObject).flatMap { members.firstIndex(of: $0) } ?? NSNotFound
    }
    override func insert(_ object: Any, at index: Int) {
        for member in owner.checkedMembers([object], of: property) {
            owner.addMember(member, to: property, at: index)
        }
    }
    required convenience init(arrayLiteral elements: Any...) {
        fatalError("A relationship's ordered set is made by mutableOrderedSetValue(forKey:).")
    }

    override func removeObject(at index: Int) { owner.removeMember(members[index], of: property) }
    override func replaceObject(at index: Int, with object: Any) {
        removeObject(at: index)
        insert(object, at: index)
    }

    // Foundation's methods on Linux change a storage of their own instead of calling the ones above.

    override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }
    override func add(_ object: Any) { insert(object, at: count) }
    override func addObjects(from array: [Any]) {
        for object in array { add(object) }
    }
    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        owner.removeMember(object, of: property)
    }
    override func removeAllObjects() { owner.replaceMembers(of: property, with: []) }
    override func intersect(_ other: NSOrderedSet) {
        for member in members where !other.contains(member) { owner.removeMember(member, of: property) }
    }
    override func exchangeObject(at index1: Int, withObjectAt index2: Int) {
        var exchanged = Array(members)
        exchanged.swapAt(index1, index2)
        owner.replaceMembers(of: property, with: exchanged)
    }
}

extension NSManagedObject {
    /// A live view of a to-many relationship.
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
        MutableRelationshipSet(self, toManyProperty(key, ordered: false))
    }

    /// A live view of an ordered to-many relationship.
    public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        MutableRelationshipOrderedSet(self, toManyProperty(key, ordered: true))
    }

    private func toManyProperty(_ key: String, ordered: Bool) -> PropertyLayout {
        guard let property = layout.property(named: key), property.kind == .toMany else {
            fatalError("\(layout.name) has no to-many relationship named \"\(key)\".")
        }
        if ordered, !property.isOrdered {
            fatalError("The relationship \"\(key)\" of \(layout.name) isn't ordered: use mutableSetValue(forKey:).")
        }
        return property
    }
}
