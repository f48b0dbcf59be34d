import Foundation

// Safe: one thread at a time uses it, as it does the data source that it is for; it only remembers what it has looked up.
/// What a fetched results controller shows at one moment: section names, and the IDs of each section's objects.
///
/// On Apple's platforms UIKit and AppKit declare this class and let it be edited. Here it is what a controller hands to
/// its delegate, with the methods that read it under Apple's names. Section identifiers are `String`s, item identifiers
/// ``NSManagedObjectID``s.
open class NSDiffableDataSourceSnapshotReference: NSObject, @unchecked Sendable {
    private let sections: [String]
    private let items: [[NSManagedObjectID]]
    private let reloaded: [NSManagedObjectID]
    private lazy var sectionByName = Dictionary(sections.enumerated().map { ($1, $0) }) { first, _ in first }
    private let lock = NSLock()
    private var places: [NSManagedObjectID: (section: Int, index: Int)]?

    init(sections: [String], items: [[NSManagedObjectID]], reloaded: [NSManagedObjectID]) {
        self.sections = sections
        self.items = items
        self.reloaded = reloaded
    }

    /// How many items all sections have together.
    open var numberOfItems: Int { items.reduce(0) { $0 + $1.count } }
    /// How many sections there are.
    open var numberOfSections: Int { sections.count }
    /// The names of the sections, in order.
    open var sectionIdentifiers: [Any] { sections }
    /// The IDs of the objects of all sections, in order.
    open var itemIdentifiers: [Any] { Array(items.joined()) }
    /// The IDs of the objects that were changed since the snapshot before this one, and are in both.
    open var reloadedItemIdentifiers: [Any] { reloaded }

    /// The items that were marked to be configured anew: none, as a controller marks those that changed as reloaded.
    open var reconfiguredItemIdentifiers: [Any] { [] }

    /// How many items a section has. The program stops where there is no such section.
    open func numberOfItems(inSection sectionIdentifier: Any) -> Int { items[section(sectionIdentifier)].count }

    /// The IDs of a section's objects, in order. The program stops where there is no such section.
    open func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
        items[section(sectionIdentifier)]
    }

    /// The name of the section that has an item; nil where none has.
    open func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
        position(of: itemIdentifier).map { sections[$0.section] }
    }

    /// The place of an item among the items of all sections; `NSNotFound` where there is none.
    open func index(ofItemIdentifier itemIdentifier: Any) -> Int { position(of: itemIdentifier)?.index ?? NSNotFound }

    /// The place of a section; `NSNotFound` where there is none.
    open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
        (sectionIdentifier as? String).flatMap { name in lock.withLock { sectionByName[name] } } ?? NSNotFound
    }

    private func section(_ identifier: Any) -> Int {
        let index = index(ofSectionIdentifier: identifier)
        guard index != NSNotFound else { fatalError("The snapshot has no section '\(identifier)'.") }
        return index
    }

    private func position(of item: Any) -> (section: Int, index: Int)? {
        guard let id = item as? NSManagedObjectID else { return nil }
        return lock.withLock {
            if let places { return places[id] }
            var made: [NSManagedObjectID: (section: Int, index: Int)] = [:]
            var index = 0
            for (section, ids) in items.enumerated() {
                for id in ids {
                    made[id] = (section, index)
                    index += 1
                }
            }
            places = made
            return made[id]
        }
    }
}
