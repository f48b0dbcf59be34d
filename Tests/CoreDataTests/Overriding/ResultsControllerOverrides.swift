import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSDiffableDataSourceSnapshotReferenceDouble: NSDiffableDataSourceSnapshotReference,
    @unchecked Sendable
{
    override func index(ofItemIdentifier itemIdentifier: Any) -> Int {
        super.index(ofItemIdentifier: itemIdentifier)
    }
    override func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
        super.index(ofSectionIdentifier: sectionIdentifier)
    }
    override var itemIdentifiers: [Any] { super.itemIdentifiers }
    override func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
        super.itemIdentifiersInSection(withIdentifier: sectionIdentifier)
    }
    override var numberOfItems: Int { super.numberOfItems }
    override func numberOfItems(inSection sectionIdentifier: Any) -> Int {
        super.numberOfItems(inSection: sectionIdentifier)
    }
    override var numberOfSections: Int { super.numberOfSections }
    override var reloadedItemIdentifiers: [Any] { super.reloadedItemIdentifiers }
    override func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
        super.sectionIdentifier(forSectionContainingItemIdentifier: itemIdentifier)
    }
    override var sectionIdentifiers: [Any] { super.sectionIdentifiers }
}

private final class NSFetchedResultsControllerDouble: NSFetchedResultsController<NSManagedObject> {
    override var cacheName: String? { super.cacheName }
    override var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { super.delegate }
        set { super.delegate = newValue }
    }
    override class func deleteCache(withName name: String?) {
        super.deleteCache(withName: name)
    }
    override var fetchRequest: NSFetchRequest<NSManagedObject> { super.fetchRequest }
    override var fetchedObjects: [NSManagedObject]? { super.fetchedObjects }
    override var hash: Int { super.hash }
    override func indexPath(forObject object: NSManagedObject) -> IndexPath? {
        super.indexPath(forObject: object)
    }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var managedObjectContext: NSManagedObjectContext { super.managedObjectContext }
    override func object(at indexPath: IndexPath) -> NSManagedObject {
        super.object(at: indexPath)
    }
    override func performFetch() throws {
        try super.performFetch()
    }
    override func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        super.section(forSectionIndexTitle: title, at: sectionIndex)
    }
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        super.sectionIndexTitle(forSectionName: sectionName)
    }
    override var sectionIndexTitles: [String] { super.sectionIndexTitles }
    override var sectionNameKeyPath: String? { super.sectionNameKeyPath }
    override var sections: [any NSFetchedResultsSectionInfo]? { super.sections }
}
