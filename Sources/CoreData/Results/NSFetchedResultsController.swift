import Foundation
import ManagedObjectModel

/// The results of a fetch request, in sections, kept up while its context changes (Apple: NSFetchedResultsController).
///
/// Without a delegate it holds what the last ``performFetch()`` gave. With one, it follows the changes that its context
/// processes and tells the delegate. It follows the objects of the request's entity only: a change of another object that
/// the predicate or a sort descriptor reaches through a relationship shows with the next fetch, as on Apple's platforms.
/// The request's limit and offset hold for the fetch and not for what comes later.
///
/// Use it on the context's queue.
open class NSFetchedResultsController<ResultType>: NSObject {
    let results: FetchedResults
    /// What the delegate is handed.
    private var erased: NSFetchedResultsController<any NSFetchRequestResult>?
    private let isForDelegates: Bool
    private var origin: (any AnyFetchedResultsController)?
    private var cachedObjects: (version: Int, objects: [ResultType])?

    /// The request. Don't change it; make another controller, or delete the cache and fetch again.
    open private(set) var fetchRequest: NSFetchRequest<ResultType>

    /// Makes a controller, which has no results before `performFetch()`.
    ///
    /// - Parameters:
    ///   - fetchRequest: a request for managed objects with sort descriptors; the program stops where they are nil. One for
    ///     dictionaries or object IDs is fetched, and not followed.
    ///   - context: the context to fetch in and to follow.
    ///   - sectionNameKeyPath: the value by which objects are put into sections; nil for one section. The first sort
    ///     descriptor has to order the objects in the same way.
    ///   - name: the name of a file that keeps the sections for the next start; nil for none.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        self.fetchRequest = fetchRequest
        isForDelegates = false
        results = FetchedResults(
            request: fetchRequest, context: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
        super.init()
        becomeFront()
    }

    private func becomeFront() {
        results.controller = self
        results.indexTitle = { [weak self] name in
            guard let self else { return Self.initial(of: name) }
            return sectionIndexTitle(forSectionName: name)
        }
        if let same = self as? NSFetchedResultsController<any NSFetchRequestResult> {
            results.sender = same
        } else {
            let sender = NSFetchedResultsController<any NSFetchRequestResult>(showing: results)
            erased = sender
            results.sender = sender
        }
    }

    /// Makes a controller of nothing, as doubles in tests need; the program stops where it fetches, as on Apple's platforms.
    public override init() {
        fetchRequest = NSFetchRequest<ResultType>()
        fetchRequest.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        isForDelegates = false
        results = FetchedResults(
            request: fetchRequest, context: NSManagedObjectContext(.mainQueue), sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        becomeFront()
    }

    /// Makes another controller of the same results.
    ///
    /// - Parameter origin: the controller that the client made, which has what delegates are handed: often the client keeps only
    ///   the other one.
    init(showing results: FetchedResults, of origin: (any AnyFetchedResultsController)? = nil) {
        self.results = results
        self.origin = origin
        fetchRequest = NSFetchRequest<ResultType>.cast(results.request.erasedCopy())
        isForDelegates = true
        super.init()
    }

    /// Fetches, and sorts the objects into sections.
    ///
    /// - Throws: what the fetch throws, or an error where the objects of a section don't follow each other.
    open func performFetch() throws { try results.fetch() }

    /// The context that is fetched in and followed.
    open var managedObjectContext: NSManagedObjectContext { results.context }
    /// The key path by which objects are put into sections.
    open var sectionNameKeyPath: String? { results.sectionNameKeyPath }
    /// The name of the file that keeps the sections.
    open var cacheName: String? { results.cacheName }
    /// The object that is notified of changes. It isn't retained.
    ///
    /// One that is set after changes were missed finds the results fetched anew. Where that fails, the property can't
    /// throw: the results stay what they were and are followed from there, standard error names the error, and
    /// ``performFetch()`` throws it. (Our choice: Apple's documentation doesn't say, and its controller doesn't stop
    /// the program.)
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { results.delegate }
        set { results.delegate = newValue }
    }

    /// Deletes the cached sections of that name; nil deletes those of all names.
    open class func deleteCache(withName name: String?) { SectionCache.delete(named: name) }

    // MARK: Results

    /// The objects in order; nil before the first fetch.
    open var fetchedObjects: [ResultType]? {
        if let cachedObjects, cachedObjects.version == results.version { return cachedObjects.objects }
        if let fixed = results.fixed {
            let objects = fixed.sections.flatMap { $0.values.map(cast) }
            cachedObjects = (results.version, objects)
            return objects
        }
        guard let arrangement = results.arrangement else { return nil }
        var objects: [ResultType] = []
        objects.reserveCapacity(arrangement.count)
        for section in arrangement.sections {
            for block in section.blocks { for object in block.objects { objects.append(cast(object)) } }
        }
        cachedObjects = (results.version, objects)
        return objects
    }

    /// The sections; nil before the first fetch. Without a key path there is one; with one and no objects, none.
    open var sections: [any NSFetchedResultsSectionInfo]? { results.fixed?.sections ?? results.arrangement?.sections }

    /// The object at a path of section and row. The program stops where there is none.
    open func object(at indexPath: IndexPath) -> ResultType {
        if let value = results.fixed?.value(at: indexPath) { return cast(value) }
        guard let sections = results.arrangement?.sections, indexPath.count == 2,
            sections.indices.contains(indexPath.section),
            (0..<sections[indexPath.section].count).contains(indexPath.row)
        else { fatalError("no object at index path \(indexPath) of the fetched results") }
        return cast(sections[indexPath.section].object(at: indexPath.row))
    }

    /// Where an object is; nil where it isn't among the results.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        if let fixed = results.fixed { return (object as? NSObject).flatMap(fixed.indexPath) }
        return (object as? NSManagedObject).flatMap { results.arrangement?.indexPath(of: $0) }
    }

    private func cast(_ object: Any) -> ResultType {
        guard let object = object as? ResultType else {
            fatalError(
                "The fetch for '\(results.request.entityName ?? "?")' gave a \(type(of: object)), and the controller is for "
                    + "\(ResultType.self). Check the class that the model names for the entity.")
        }
        return object
    }

    // MARK: Index

    /// The title by which an index shows a section: the delegate's (`controller(_:sectionIndexTitleForSectionName:)`), and by
    /// default the capitalised first letter of its name. Override it for others; in an index the delegate comes first.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        // What a delegate is handed answers as the controller that was made, whose class may have overridden this.
        guard !isForDelegates else { return results.indexTitle(sectionName) }
        return results.delegateTitle(forSectionName: sectionName) ?? Self.initial(of: sectionName)
    }

    private static func initial(of name: String) -> String? { name.first.map { String($0).uppercased() } }

    /// The index titles of the sections, each once, in the order in which they first come.
    open var sectionIndexTitles: [String] { (sections ?? []).compactMap(\.indexTitle).uniqued() }

    /// The section that an index title stands for: the first that has it. The program stops where none has.
    ///
    /// - Parameter sectionIndex: the place of the title in `sectionIndexTitles`.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        guard let section = (sections ?? []).firstIndex(where: { $0.indexTitle == title }) else {
            fatalError("Index title at \(sectionIndex) is not equal to '\(title)': no section has it")
        }
        return section
    }

    // MARK: Identity

    /// The controller that a delegate is handed equals the one that was made.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? any AnyFetchedResultsController)?.results === results
    }

    /// A hash that equal objects share.
    open override var hash: Int { ObjectIdentifier(results).hashValue }
}
