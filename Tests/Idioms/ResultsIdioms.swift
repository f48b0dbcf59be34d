import CoreData

/// A delegate as a table view's controller is one.
private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
    var events: [String] = []

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        events.append("will")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert: events.append("insert \(newIndexPath!.section)-\(newIndexPath!.row)")
        case .delete: events.append("delete \(indexPath!.section)-\(indexPath!.row)")
        case .move: events.append("move \(indexPath!.row)-\(newIndexPath!.row)")
        case .update: events.append("update \(indexPath!.row)")
        @unknown default: events.append("unknown")
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        events.append("section \(type == .insert ? "insert" : "delete") \(sectionIndex) \(sectionInfo.name)")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        events.append("did")
    }
}

@MainActor
func resultsIdioms(_ suite: Suite) {
    func controller(_ context: NSManagedObjectContext, sections: String? = nil) -> NSFetchedResultsController<Person> {
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
    }

    func add(_ names: String..., to context: NSManagedObjectContext) {
        for name in names { Person(context: context).name = name }
    }

    suite("Fetched objects and their paths") {
        let context = CoreDataStack().viewContext
        add("Ada", "Grace", "Linus", to: context)
        try context.save()
        let results = controller(context)
        try results.performFetch()
        try expect(results.fetchedObjects?.count, is: 3)
        try expect(results.sections?.count, is: 1)
        try expect(results.sections?[0].numberOfObjects, is: 3)
        try expect(results.object(at: IndexPath(row: 1, section: 0)).name, is: "Grace")
        try expect(results.indexPath(forObject: results.fetchedObjects![2])?.row, is: 2)
    }

    suite("Nothing is fetched before performFetch") {
        let results = controller(CoreDataStack().viewContext)
        try expect(results.fetchedObjects == nil)
        try expect(results.sections == nil)
    }

    suite("Sections by a computed property") {
        let context = CoreDataStack().viewContext
        add("Ada", "Alan", "Grace", to: context)
        try context.save()
        let results = controller(context, sections: "initial")
        try results.performFetch()
        try expect(results.sections?.map(\.name), is: ["A", "G"])
        try expect(results.sections?[0].numberOfObjects, is: 2)
        try expect(results.sectionIndexTitles, is: ["A", "G"])
    }

    suite("Sections by a path to a related object") {
        let context = CoreDataStack().viewContext
        for name in ["Research", "Sales"] {
            let department = Department(context: context)
            department.name = name
            for number in 0..<2 {
                let person = Person(context: context)
                person.name = "\(name)\(number)"
                person.department = department
            }
        }
        try context.save()
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "department.name", ascending: true), NSSortDescriptor(key: "name", ascending: true),
        ]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "department.name", cacheName: nil)
        try results.performFetch()
        try expect(results.sections?.map(\.name), is: ["Research", "Sales"])
        try expect(results.object(at: IndexPath(item: 1, section: 1)).name, is: "Sales1")
    }

    suite("A delegate hears of inserts, updates, moves and deletes with the save") {
        let context = CoreDataStack().viewContext
        add("Ada", "Grace", to: context)
        try context.save()
        let results = controller(context)
        let delegate = Delegate()
        results.delegate = delegate
        try results.performFetch()
        add("Brian", to: context)
        try context.save()
        try expect(delegate.events, is: ["will", "insert 0-1", "did"])
        delegate.events = []
        results.object(at: IndexPath(row: 0, section: 0)).age = 9
        try context.save()
        try expect(delegate.events, is: ["will", "update 0", "did"])
        delegate.events = []
        results.object(at: IndexPath(row: 0, section: 0)).name = "Zed"
        try context.save()
        try expect(delegate.events, is: ["will", "move 0-2", "did"])
        delegate.events = []
        context.delete(results.object(at: IndexPath(row: 0, section: 0)))
        try context.save()
        try expect(delegate.events, is: ["will", "delete 0-0", "did"])
    }

    suite("A delegate hears of changes at the end of the run loop's turn") {
        let context = CoreDataStack().viewContext
        let results = controller(context)
        let delegate = Delegate()
        results.delegate = delegate
        try results.performFetch()
        add("Ada", to: context)
        RunLoop.main.run(until: Date().addingTimeInterval(0.1))
        try expect(delegate.events, is: ["will", "insert 0-0", "did"])
    }

    suite("Sections come and go") {
        let context = CoreDataStack().viewContext
        add("Ada", to: context)
        try context.save()
        let results = controller(context, sections: "initial")
        let delegate = Delegate()
        results.delegate = delegate
        try results.performFetch()
        add("Grace", to: context)
        try context.save()
        try expect(delegate.events, is: ["will", "section insert 1 G", "insert 1-0", "did"])
        delegate.events = []
        context.delete(results.object(at: IndexPath(row: 0, section: 0)))
        try context.save()
        try expect(delegate.events, is: ["will", "section delete 0 A", "delete 0-0", "did"])
    }

    suite("A background save arrives through automatic merging") {
        let stack = CoreDataStack(inMemory: false)
        let results = controller(stack.viewContext)
        let delegate = Delegate()
        results.delegate = delegate
        try results.performFetch()
        let background = stack.container.newBackgroundContext()
        try background.performAndWait {
            Person(context: background).name = "Ada"
            try background.save()
        }
        let deadline = Date().addingTimeInterval(5)
        while delegate.events.isEmpty, Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(delegate.events, is: ["will", "insert 0-0", "did"])
    }

    suite("An empty list of sort descriptors is taken") {
        let context = CoreDataStack().viewContext
        add("Ada", to: context)
        try context.save()
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.sortDescriptors = []
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try results.performFetch()
        try expect(results.fetchedObjects?.count, is: 1)
    }

    suite("The predicate can be changed and fetched by again") {
        let context = CoreDataStack().viewContext
        add("Ada", "Grace", to: context)
        try context.save()
        let results = controller(context)
        try results.performFetch()
        results.fetchRequest.predicate = NSPredicate(format: "name == %@", "Ada")
        try results.performFetch()
        try expect(results.fetchedObjects?.map(\.name), is: ["Ada"])
    }

    suite("A cache can be named and deleted") {
        let context = CoreDataStack(inMemory: false).viewContext
        add("Ada", to: context)
        try context.save()
        NSFetchedResultsController<NSFetchRequestResult>.deleteCache(withName: "People")
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        for _ in 0..<2 {
            let results = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name", cacheName: "People")
            try results.performFetch()
            try expect(results.sections?.map(\.name), is: ["Ada"])
        }
    }
}
