@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
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
        owner.recordRead(property)
        return owner.firedMembers(property).members
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
    override func setSet(_ otherSet: Set<AnyHashable>) {
        owner.replaceMembers(of: property, with: owner.checkedMembers(otherSet.map(\.base), of: property))
    }

    // Foundation's own copy a storage that isn't used here.

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(set: members) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(set: members) }
}

/// An ordered to-many relationship as what a live set shows.
private struct OrderedRelationship: LiveOrderedSetSource {
    let owner: NSManagedObject
    let property: PropertyLayout

    private var members: ToManyValue { owner.firedMembers(property) }

    var elements: [Any] {
        owner.recordRead(property)
        return Array(members.ordered)
    }

    var revision: LiveOrderedSetRevision? {
        owner.recordRead(property)
        let members = members
        return LiveOrderedSetRevision(of: members, number: members.revision)
    }

    func replaceElements(with elements: [Any]) {
        owner.replaceMembers(of: property, with: owner.checkedMembers(elements, of: property), toldAs: nil)
    }

    func insert(_ element: Any, at index: Int) -> Bool {
        for member in owner.checkedMembers([element], of: property) {
            owner.addMember(member, to: property, at: index)
        }
        return true
    }

    func remove(_ element: Any) -> Bool {
        if let object = element as? NSManagedObject { owner.removeMember(object, of: property) }
        return true
    }

    func didChange(through view: LiveOrderedSet) {
        // Without the event nobody would clear it away.
        guard let context = owner.ownContext, !context.eventObjects.isEmpty else { return }
        context.changedOrder = ChangedOrder(owner: owner, property: property, view: view)
    }
}

/// The members of an ordered relationship as they were read: what `value(forKey:)` gives, which Apple's programs cast to a mutable set.
///
/// It stays as it is when the relationship changes; what is changed in it is changed in the relationship too.
private final class OrderAsRead: LiveOrderedSetSource {
    private let relationship: OrderedRelationship
    private(set) var elements: [Any]
    private var changeCount = 0

    init(_ relationship: OrderedRelationship, elements: [Any]) {
        self.relationship = relationship
        self.elements = elements
    }

    var revision: LiveOrderedSetRevision? { LiveOrderedSetRevision(of: self, number: changeCount) }

    func replaceElements(with elements: [Any]) {
        changeCount += 1
        self.elements = elements
        relationship.replaceElements(with: elements)
    }

    func insert(_ element: Any, at index: Int) -> Bool {
        changeCount += 1
        elements.insert(element, at: index)
        return relationship.insert(element, at: min(index, relationship.elements.count))
    }

    func remove(_ element: Any) -> Bool {
        changeCount += 1
        elements.removeAll { ($0 as AnyObject) === (element as AnyObject) }
        return relationship.remove(element)
    }
}

/// The ordered relationship that a program has changed last, in the event that isn't at its end yet.
///
/// Making a view of one takes as long as it has members, and programs make one anew for each member that they append.
struct ChangedOrder {
    let owner: NSManagedObject
    let property: PropertyLayout
    let view: LiveOrderedSet

    /// The view, with the members as they are now, if it is one of that relationship.
    func view(of owner: NSManagedObject, _ property: PropertyLayout) -> LiveOrderedSet? {
        guard self.owner === owner, self.property === property else { return nil }
        view.refresh()
        return view
    }
}

extension NSManagedObject {
    /// The members of an ordered relationship as key-value coding gives them.
    final func orderedMembers(_ property: PropertyLayout) -> NSOrderedSet {
        let relationship = OrderedRelationship(owner: self, property: property)
        return LiveOrderedSet(of: OrderAsRead(relationship, elements: Array(members(property).ordered)))
    }

    /// A live view of a to-many relationship.
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
        MutableRelationshipSet(self, toManyProperty(key, ordered: false))
    }

    /// A live view of an ordered to-many relationship.
    public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        let property = toManyProperty(key, ordered: true)
        return ownContext?.changedOrder?.view(of: self, property)
            ?? LiveOrderedSet(of: OrderedRelationship(owner: self, property: property))
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
