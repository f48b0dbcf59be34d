@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// The set that a to-many relationship is kept in, as the primitive accessors give it out: adding to it or removing
/// from it changes the relationship. Observers aren't notified, and the inverse stays as it is until `didChangeValue`
/// is called.
final class PrimitiveMemberSet: NSMutableSet {
    private let owner: NSManagedObject
    private let property: PropertyLayout

    init(_ owner: NSManagedObject, _ property: PropertyLayout) {
        self.owner = owner
        self.property = property
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) { fatalError("A relationship's set is made by primitiveValue(forKey:).") }
    override required init(objects: UnsafePointer<AnyObject>!, count: Int) {
        fatalError("A relationship's set is made by primitiveValue(forKey:).")
    }
    required convenience init?(coder: NSCoder) { nil }

    private var members: ToManyValue { owner.firedMembers(property) }

    override var count: Int { members.count }
    override func member(_ object: Any) -> Any? {
        (object as? NSManagedObject).flatMap { members.contains($0) ? $0 : nil }
    }
    override func objectEnumerator() -> NSEnumerator { NSArray(array: Array(members.ordered)).objectEnumerator() }
    override func add(_ object: Any) {
        for member in owner.checkedMembers([object], of: property) { members.add(member) }
    }
    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject { members.remove(object) }
    }
    override func removeAllObjects() { owner.setPrimitiveMembers([], of: property) }
    override func setSet(_ otherSet: Set<AnyHashable>) {
        owner.setPrimitiveMembers(owner.checkedMembers(otherSet.map(\.base), of: property), of: property)
    }

    // Foundation's own copy a storage that isn't used here.

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(set: members.members) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(set: members.members) }
}

/// The same of an ordered relationship.
private struct PrimitiveMemberOrder: LiveOrderedSetSource {
    let owner: NSManagedObject
    let property: PropertyLayout

    private var members: ToManyValue { owner.firedMembers(property) }

    var elements: [Any] { Array(members.ordered) }

    var revision: LiveOrderedSetRevision? {
        let members = members
        return LiveOrderedSetRevision(of: members, number: members.revision)
    }

    func replaceElements(with elements: [Any]) {
        owner.setPrimitiveMembers(owner.checkedMembers(elements, of: property), of: property)
    }

    func insert(_ element: Any, at index: Int) -> Bool {
        for member in owner.checkedMembers([element], of: property) { members.add(member, at: index) }
        return true
    }

    func remove(_ element: Any) -> Bool {
        if let object = element as? NSManagedObject { members.remove(object) }
        return true
    }
}

extension NSManagedObject {
    /// The members of a to-many relationship to be changed in place; nil of other properties.
    final func primitiveCollection(of property: PropertyLayout) -> Any? {
        guard property.kind == .toMany else { return nil }
        fireIfNeeded(property.name)
        return property.isOrdered
            ? LiveOrderedSet(of: PrimitiveMemberOrder(owner: self, property: property))
            : PrimitiveMemberSet(self, property)
    }
}
