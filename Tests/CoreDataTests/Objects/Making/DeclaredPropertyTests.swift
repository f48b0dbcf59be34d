import CoreData
import Foundation
import Testing

/// A property of an ordinary object, which key-value coding finds too.
private final class Sheet: NSObject {
    var width = 2
    var area: Int { width * width }
}

@Suite("Properties that a class declares itself") struct DeclaredPropertyTests {
    @Test("are found by key, at the end of key paths, and in place of a transient attribute")
    func keys() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let (anna, ben) = (Clerk(context: context), Clerk(context: context))
        anna.name = "Anna"
        ben.chief = anna
        #expect(anna.value(forKey: "shouted") as? String == "ANNA")
        #expect(ben.value(forKeyPath: "chief.shouted") as? String == "ANNA")
        #expect(anna.value(forKey: "label") as? String == "<Anna>")
        #expect(anna.value(forKey: "ownNote") as? String == "kept")
    }

    @Test("have their names in key paths, wherever these are formed")
    func keyPathNames() throws {
        let context = try Office.stack().context()
        #expect(NSSortDescriptor(keyPath: \Clerk.shouted, ascending: true).key == "shouted")
        #expect(NSExpression(forKeyPath: \Clerk.chief?.letter).keyPath == "chief.letter")
        let clerk = Clerk(context: context)
        var letters: [String?] = []
        let observation = clerk.observe(\.letter, options: .new) { letters.append($1.newValue) }
        clerk.willChangeValue(for: \.letter)
        clerk.name = "Anna"
        clerk.didChangeValue(for: \.letter)
        #expect(letters == ["A"])
        observation.invalidate()
    }

    @Test("count in predicates and sort descriptors in memory, and name sections")
    func evaluation() throws {
        let stack = try Office.stack()
        let context = stack.context()
        for name in ["Ben", "Anna", "Berta"] { Clerk(context: context).name = name }
        let request = NSFetchRequest<Clerk>(entityName: "Clerk")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let clerks = try context.fetch(request)
        #expect(clerks.filter { NSPredicate(format: "shouted BEGINSWITH 'BE'").evaluate(with: $0) }.count == 2)
        let sorted = (clerks as NSArray).sortedArray(using: [NSSortDescriptor(key: "shouted", ascending: false)])
        #expect((sorted as? [Clerk])?.map(\.name) == ["Berta", "Ben", "Anna"])
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "letter", cacheName: nil)
        try results.performFetch()
        #expect(results.sections?.map(\.name) == ["A", "B"])
        #expect(results.sections?.map(\.numberOfObjects) == [1, 2])
    }

    @Test(
        "are fetched and sorted by where the store's objects are in memory, and aren't found in SQLite",
        arguments: Library.storeTypes)
    func fetching(storeType: String) throws {
        let stack = try Office.stack(storeType: storeType)
        let context = stack.context()
        for name in ["Ben", "Anna", "Berta", "Carl"] { Clerk(context: context).name = name }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let request = NSFetchRequest<Clerk>(entityName: "Clerk")
            request.predicate = NSPredicate(format: "shouted BEGINSWITH 'BE' OR letter == 'A'")
            request.sortDescriptors = [NSSortDescriptor(key: "shouted", ascending: false)]
            guard storeType != NSSQLiteStoreType else {
                let error = #expect(throws: NSError.self) { try context.fetch(request) }
                #expect(error?.localizedDescription.contains("keypath") == true)
                continue
            }
            #expect(try context.fetch(request).map(\.name) == ["Berta", "Ben", "Anna"])
            #expect(try context.count(for: request) == 3)
            request.fetchLimit = 2
            #expect(try context.fetch(request).map(\.name) == ["Berta", "Ben"])
            let results = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try results.performFetch()
            #expect(results.fetchedObjects?.map(\.name) == ["Berta", "Ben"])
        }
    }

    @Test("The key \"Date\" sets the property whose setter is setDate:")
    func setter() throws {
        let stack = try Office.stack()
        let clerk = Clerk(context: stack.context())
        clerk.setValue(Date(timeIntervalSince1970: 9), forKey: "Date")
        #expect(clerk.value(forKey: "date") as? Date == Date(timeIntervalSince1970: 9))
    }

    @Test("and no value is found by it")
    func capitalizedGetter() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Office.stack()
            _ = Clerk(context: stack.context()).value(forKey: "Date")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("not key value coding-compliant for the key \"Date\""), "\(text)")
    }

    @Test("Ordinary objects answer for what was made known, and user defaults for what they hold")
    func ordinary() {
        GeneratedClasses.register(properties: { [\Sheet.area: "area", \Sheet.width: "width"] })
        let sheet = Sheet()
        sheet.setValue(3, forKey: "width")
        #expect(sheet.value(forKey: "area") as? Int == 9)
        let key = UUID().uuidString
        UserDefaults.standard.setValue("there", forKey: key)
        #expect(UserDefaults.standard.value(forKey: key) as? String == "there")
        UserDefaults.standard.removeObject(forKey: key)
    }
}

@Suite("Key paths of several parts") struct ComposedKeyPathTests {
    @Test("have the names of their parts, with dots between them")
    func names() throws {
        _ = Office.model()
        #expect(NSExpression(forKeyPath: \Clerk.chief?.name).keyPath == "chief.name")
        #expect(NSSortDescriptor(keyPath: \Clerk.chief?.chief?.name, ascending: true).key == "chief.chief.name")
        #expect(KeyPathNames.name(of: (\Clerk.chief).appending(path: \.?.name)) == "chief.name")
        #expect(KeyPathNames.name(of: \Clerk.name?.count) == nil)
    }

    @Test("sort a fetch, and one without a name is an error that says so", arguments: Library.storeTypes)
    func sorting(storeType: String) throws {
        let stack = try TemporaryStack(model: Office.model(), storeType: storeType)
        let context = stack.context()
        let (anna, ben) = (Clerk(context: context), Clerk(context: context))
        anna.chief = ben
        (anna.name, ben.name) = ("Anna", "Ben")
        try context.save()
        let request = NSFetchRequest<Clerk>(entityName: "Clerk")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Clerk.chief?.name, ascending: false)]
        #expect(try context.fetch(request).first === anna)
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Clerk.objectID.isTemporaryID, ascending: false)]
        let error = #expect(throws: NSError.self) { try context.fetch(request) }
        #expect(error?.localizedDescription.contains("has no name") == true)
    }

    @Test("A results controller takes an empty list of sort descriptors")
    func unsorted() throws {
        let stack = try Office.stack()
        let context = stack.context()
        _ = Clerk(context: context)
        let request = NSFetchRequest<Clerk>(entityName: "Clerk")
        request.sortDescriptors = []
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try results.performFetch()
        #expect(results.fetchedObjects?.count == 1)
    }

    @Test("and none at all stops the program")
    func withoutSortDescriptors() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Office.stack()
            _ = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<Clerk>(entityName: "Clerk"), managedObjectContext: stack.context(),
                sectionNameKeyPath: nil, cacheName: nil)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("sort descriptors"), "\(text)")
    }

    @Test("The user info of a model in use may change")
    func userInfo() throws {
        let stack = try Office.stack()
        let entity = try #require(stack.container.managedObjectModel.entitiesByName["Clerk"])
        entity.userInfo?["colour"] = "red"
        entity.attributesByName["name"]?.userInfo = ["size": 3]
        #expect(entity.userInfo?["colour"] as? String == "red")
        #expect(entity.attributesByName["name"]?.userInfo?["size"] as? Int == 3)
    }
}

@Suite("Validation of values") struct ValueValidationTests {
    @Test("makes values of the attribute's type")
    func coercion() throws {
        let stack = try Office.stack()
        let clerk = Clerk(context: stack.context())
        var value: AnyObject? = "12" as NSString
        try clerk.validateValue(&value, forKey: "age")
        #expect(value as? Int == 12)
        var name: Any? = 5
        try clerk.validateValue(&name, forKey: "name")
        #expect(name as? String == "5")
        let date = Date(timeIntervalSince1970: 9)
        var same: Any? = date
        try clerk.validateValue(&same, forKey: "date")
        #expect(same as? Date == date)
        var nothing: Any?
        try clerk.validateValue(&nothing, forKey: "age")
        #expect(nothing == nil)
        var wrong: Any? = "twelve"
        #expect(throws: NSError.self) { try clerk.validateValue(&wrong, forKey: "age") }
    }

    @Test("asks the class's validate<Key>, by itself and in saves")
    func methods() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let clerk = Clerk(context: context)
        var name: Any? = "Anna "
        try clerk.validateValue(&name, forKey: "name")
        #expect(name as? String == "Anna")
        clerk.name = "forbidden"
        #expect(throws: NSError.self) { try context.save() }
        clerk.name = "Ben "
        try context.save()
        #expect(clerk.name == "Ben")
    }

    @Test("goes by an override with Apple's signature, by itself and in saves")
    func pointer() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let porter = Porter(context: context)
        var name: Any? = "old"
        try porter.validateValue(&name, forKey: "name")
        #expect(name as? String == "new")
        porter.setValue("old", forKey: "name")
        try context.save()
        #expect(porter.value(forKey: "name") as? String == "new")
    }
}
