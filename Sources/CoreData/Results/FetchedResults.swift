@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

// Safe: the context's queue is the only one that uses it.
/// What a fetched results controller does, whatever the type of its results.
///
/// `NSFetchedResultsController<Book>` and the `NSFetchedResultsController<NSFetchRequestResult>` that delegates are handed
/// are two types; both show one of these. Used on the context's queue only.
final class FetchedResults: @unchecked Sendable {
    let request: AnyFetchRequest
    let context: NSManagedObjectContext
    let sectionNameKeyPath: String?
    let cacheName: String?
    /// Gives a section's index title; set by the controller, as its class may override the method.
    var indexTitle: (String) -> String? = { _ in nil }
    /// What delegates are handed, and the controller that clients made; controllers own these results.
    weak var sender: NSFetchedResultsController<any NSFetchRequestResult>?
    /// What the client made.
    weak var controller: (any AnyFetchedResultsController)?

    private(set) var arrangement: ResultsArrangement?
    /// The results where they are no objects.
    private(set) var fixed: FixedResults?
    /// Counts changes of the arrangement.
    private(set) var version = 0
    /// Whether a fetch might give another arrangement: there was no delegate to report changes to, or all objects were
    /// invalidated.
    private var missedChanges = false
    private var isInvalidated = false
    /// The state of the stores' files whose objects are shown; nil where it isn't known, as others may have saved what this
    /// context hasn't merged.
    private var shownState: SectionCache?
    private var observers: [any NSObjectProtocol] = []

    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            guard delegate !== oldValue else { return }
            methods = DelegateMethods()
            if delegate != nil, missedChanges, arrangement != nil {
                do {
                    try arrange()
                } catch {
                    // A property can't throw. The arrangement stays as it is, and is fetched anew for the next
                    // delegate.
                    CoreDataLog.warn(
                        "error: a results controller for '\(request.entityName ?? "")' couldn't fetch what it has missed while it "
                            + "had no delegate, and goes on with what was there before; performFetch() throws the error: "
                            + "\(error.localizedDescription)")
                }
            }
        }
    }

    /// Set by the default implementations of the delegate's methods.
    var delegateLacksMethod = false
    /// Whether the delegate is being asked for an index title, and may ask the controller in turn.
    var isAskingForTitle = false
    var methods = DelegateMethods()

    /// Which methods the delegate turned out not to have.
    struct DelegateMethods {
        var lacksSnapshot = false
        var lacksDifference = false
        var lacksTitle = false
    }

    init(
        request: AnyFetchRequest, context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName: String?
    ) {
        // An empty list is one: Apple's stops at nil only.
        guard request.sortDescriptors != nil else {
            fatalError("An instance of NSFetchedResultsController requires a fetch request with sort descriptors")
        }
        if let name = request.entityName, let entity = context.persistentStoreCoordinator?.layout.entity(named: name) {
            request.resolveEntity(entity.entity)
        }
        self.request = request
        self.context = context
        self.sectionNameKeyPath = sectionNameKeyPath
        self.cacheName = cacheName
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    // MARK: Fetching

    /// Fetches, arranges, and tells a delegate that wants whole snapshots.
    func fetch() throws {
        try arrange()
        observeContext()
        sendSnapshot(reloaded: [])
    }

    private func arrange() throws {
        guard request.resultType == .managedObjectResultType else { return try fix() }
        let order = ResultsOrder(
            descriptors: request.sortDescriptors ?? [], sectionNameKeyPath: sectionNameKeyPath)
        // Before the fetch: what others save meanwhile makes the files newer than what is shown.
        let cache = context.holdsChanges ? nil : sectionCache()
        // By the context's `fetch(_:)` where a subclass of it or of its coordinator may override what that does, as Apple's controllers
        // fetch.
        let objects =
            context.isDouble || context.coordinatorToAsk != nil
            ? try context.fetch(NSFetchRequest<NSManagedObject>.cast(request.erasedCopy()))
            : try context.fetchObjects(request)
        let cached = cache?.read(ofObjects: objects.count).flatMap { order.fits($0, objects) ? $0 : nil }
        let arrangement = try ResultsArrangement(objects, order: order, runs: cached) { [weak self] name in
            self?.title(forSectionName: name)
        }
        if cached == nil { cache?.write(arrangement.runs) }
        self.arrangement = arrangement
        shownState = cache
        version += 1
        missedChanges = false
        isInvalidated = false
    }

    private func fix() throws {
        let isOfIDs = request.resultType == .managedObjectIDResultType
        guard request.resultType == .dictionaryResultType || isOfIDs && sectionNameKeyPath == nil else {
            throw CoreDataError.unsupportedRequest(
                "A fetched results controller shows managed objects, dictionaries, or object IDs in one section; this one's resultType "
                    + "is \(request.resultType.rawValue).")
        }
        fixed = try FixedResults(context.fetch(request.erasedCopy()), sectionNameKeyPath: sectionNameKeyPath) {
            [weak self] name in self?.title(forSectionName: name)
        }
        version += 1
    }

    /// The cache for the stores' files as they now are; nil where the results aren't cached.
    private func sectionCache() -> SectionCache? {
        guard let cacheName, let sectionNameKeyPath,
            let stores = context.persistentStoreCoordinator?.persistentStores
        else { return nil }
        return SectionCache(
            named: cacheName, request: request, sectionNameKeyPath: sectionNameKeyPath, stores: stores)
    }

    // MARK: Following the context

    private func observeContext() {
        guard observers.isEmpty else { return }
        let center = NotificationCenter.default
        observers = [
            center.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { [weak self] in self?.contextDidChange($0.userInfo ?? [:]) },
            center.addObserver(forName: .NSManagedObjectContextWillSave, object: context, queue: nil) { [weak self] _ in
                self?.contextWillSave()
            },
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { [weak self] _ in
                self?.contextDidSave()
            },
        ]
    }

    /// What others have written since isn't shown, so that the sections mustn't be taken for those of the files.
    private func contextWillSave() {
        guard let shownState else { return }
        if sectionCache()?.isOfSameState(as: shownState) != true { self.shownState = nil }
    }

    private func contextDidSave() {
        guard shownState != nil, let arrangement, !isInvalidated, !missedChanges, !context.holdsChanges else { return }
        shownState = sectionCache()
        shownState?.write(arrangement.runs)
    }

    private func contextDidChange(_ info: [AnyHashable: Any]) {
        guard let arrangement, !isInvalidated else { return }
        if info[NSInvalidatedAllObjectsKey] != nil {
            // Nothing is sent; the client has to fetch again (Apple: NSFetchedResultsController.h).
            isInvalidated = true
            return
        }
        guard delegate != nil else {
            missedChanges = true
            return
        }
        // The request has been fetched before, and so is sound.
        guard let fetch = try? StoreFetch(request, in: context.model) else { return }
        let touched = touchedObjects(info, fetch)
        if touched.isEmpty { return }
        // Where an aggregate can't be read, the next fetch tells.
        let predicate = (try? context.objectPredicate(of: fetch)) ?? request.predicate
        var (departing, staying, arriving) = ([NSManagedObject](), [NSManagedObject](), [NSManagedObject]())
        for (object, isGone) in touched {
            let isMember = arrangement.contains(object)
            switch (isMember, !isGone && isResult(object, predicate)) {
            case (true, true): staying.append(object)
            case (true, false): departing.append(object)
            case (false, true): arriving.append(object)
            case (false, false): break
            }
        }
        guard !departing.isEmpty || !staying.isEmpty || !arriving.isEmpty else { return }
        // Sets have no order, and equal objects come in the order in which they were made.
        arriving.sort { ($0.storeIndex, $0.handle) < ($1.storeIndex, $1.handle) }
        version += 1
        send(arrangement.apply(departing: departing, staying: staying, arriving: arriving))
    }

    /// The objects of the request's entity that the event has touched, and whether it took them away.
    private func touchedObjects(
        _ info: [AnyHashable: Any], _ fetch: StoreFetch
    ) -> [ObjectIdentifier: (NSManagedObject, Bool)].Values {
        var touched: [ObjectIdentifier: (NSManagedObject, Bool)] = [:]
        func add(_ key: String, isGone: Bool) {
            guard let objects = info[key] as? Set<NSManagedObject> else { return }
            for object in objects where fetch.covers(object.layout) {
                touched[ObjectIdentifier(object)] = (object, isGone)
            }
        }
        add(NSRefreshedObjectsKey, isGone: false)
        add(NSUpdatedObjectsKey, isGone: false)
        add(NSInsertedObjectsKey, isGone: false)
        add(NSDeletedObjectsKey, isGone: true)
        add(NSInvalidatedObjectsKey, isGone: true)
        return touched.values
    }

    private func isResult(_ object: NSManagedObject, _ predicate: NSPredicate?) -> Bool {
        guard !object.isToBeDeleted, object.ownContext === context else { return false }
        if let stores = request.affectedStores, object.storeIndex != 0 {
            guard let store = object.objectID.persistentStore, stores.contains(where: { $0 === store }) else {
                return false
            }
        }
        guard predicate?.evaluate(with: object) ?? true else { return false }
        // Reading the values may have shown that the row has gone.
        return !object.isToBeDeleted
    }
}
