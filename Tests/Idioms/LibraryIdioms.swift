import CoreData

/// What Xcode's model editor offers beyond names and types, as programs use it.
@MainActor
func libraryIdioms(_ suite: Suite) {
    suite("The template's preview controller fills a store in memory") {
        let controller = PersistenceController.preview
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.title, ascending: true)]
        let books = try controller.container.viewContext.fetch(request)
        try expect(books.first?.title, is: "Book 0")
        try expect(books.count, is: 10)
    }

    suite("The template's shared controller saves into the default folder") {
        let context = PersistenceController.shared.container.viewContext
        _ = Book.make("Dune", in: context)
        try context.save()
        let url = NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Library.sqlite")
        try expect(FileManager.default.fileExists(atPath: url.path), url.path)
        let store = context.persistentStoreCoordinator?.persistentStores.first
        try expect(store?.url?.lastPathComponent, is: "Library.sqlite")
    }

    suite("A template of the model is fetched by its name") {
        let container = PersistenceController(inMemory: true).container
        let context = container.viewContext
        _ = Book.make("In", in: context)
        Book.make("Out", in: context).isAvailable = false
        try context.save()
        let template = try unwrap(container.managedObjectModel.fetchRequestTemplate(forName: "AvailableBooks"))
        let books = try context.fetch(template) as! [Book]
        try expect(books.map(\.title), is: ["In"])
        try expect(
            container.managedObjectModel.fetchRequestTemplatesByName.keys.sorted(),
            is: ["AvailableBooks", "BooksByAuthor"])
    }

    suite("A template is filled in with values and sorted in a copy") {
        let container = PersistenceController(inMemory: false).container
        let context = container.viewContext
        let herbert = Author("Herbert", in: context)
        _ = Book.make("Dune", pages: 600, by: herbert, in: context)
        _ = Book.make("Messiah", pages: 300, by: herbert, in: context)
        _ = Book.make("Short", pages: 20, by: herbert, in: context)
        _ = Book.make("Other", pages: 900, in: context)
        try context.save()
        guard
            let request = container.managedObjectModel.fetchRequestFromTemplate(
                withName: "BooksByAuthor", substitutionVariables: ["NAME": "Herbert", "PAGES": 100])
        else { throw Unexpected(description: "no template") }
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let books = try context.fetch(request) as? [Book]
        try expect(books?.map(\.title), is: ["Messiah", "Dune"])
    }

    suite("A template copied from the model can be changed") {
        let model = PersistenceController(inMemory: true).container.managedObjectModel
        let request =
            model.fetchRequestTemplate(forName: "AvailableBooks")!.copy() as! NSFetchRequest<NSFetchRequestResult>
        request.fetchLimit = 1
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        try expect(request.entityName, is: "Book")
        try expect(model.fetchRequestTemplate(forName: "AvailableBooks")?.fetchLimit, is: 0)
    }

    suite("A fetched property lists what its request finds, and again after a refresh") {
        let context = PersistenceController().container.viewContext
        let author = Author("Herbert", in: context)
        _ = Book.make("Dune", pages: 600, by: author, in: context)
        _ = Book.make("Short", pages: 20, by: author, in: context)
        try context.save()
        let long = author.value(forKey: "longBooks") as? [Book]
        try expect(long?.map(\.title), is: ["Dune"])
        _ = Book.make("Messiah", pages: 301, by: author, in: context)
        try context.save()
        context.refresh(author, mergeChanges: false)
        try expect((author.value(forKey: "longBooks") as? [Book])?.count, is: 2)
    }

    suite("Derived attributes are there after the save and a refresh") {
        let context = PersistenceController().container.viewContext
        let author = Author("Émile Zola", in: context)
        _ = Book.make("Nana", by: author, in: context)
        try context.save()
        context.refresh(author, mergeChanges: true)
        try expect(author.searchName, is: "emile zola")
        try expect(author.bookCount, is: 1)
        let request: NSFetchRequest<Author> = Author.fetchRequest()
        request.predicate = NSPredicate(format: "searchName BEGINSWITH %@ AND bookCount > 0", "emi")
        try expect(try context.count(for: request), is: 1)
    }

    suite("A deletion that the rule denies is error 1600 and can be taken back") {
        let context = PersistenceController(inMemory: true).container.viewContext
        let author = Author("Herbert", in: context)
        _ = Book.make("Dune", by: author, in: context)
        try context.save()
        context.delete(author)
        let error = try expectError { try context.save() }
        try expect(error.code, is: NSValidationRelationshipDeniedDeleteError)
        try expect(error.userInfo[NSValidationKeyErrorKey] as? String, is: "books")
        context.rollback()
        try expect(!author.isDeleted)
        try expect(author.sortedBooks.count, is: 1)
    }

    suite("Limits of the model are errors that say which") {
        let context = PersistenceController(inMemory: true).container.viewContext
        func code(_ change: (Book) -> Void) throws -> Int {
            let book = Book.make("Dune", in: context)
            change(book)
            defer { context.delete(book) }
            return try expectError { try book.validateForInsert() }.code
        }
        try expect(try code { $0.pages = 0 }, is: NSValidationNumberTooSmallError)
        try expect(try code { $0.isbn = "not an ISBN" }, is: NSValidationStringPatternMatchingError)
        try expect(try code { $0.title = nil }, is: NSValidationMissingMandatoryPropertyError)
        try expect(
            try code { book in
                for _ in 0..<4 { Loan(context: context).book = book }
            }, is: NSValidationRelationshipExceedsMaximumCountError)
    }

    suite("A switch over the error's code tells the user what to mend") {
        let context = PersistenceController(inMemory: true).container.viewContext
        let author = Author("X", in: context)
        author.born = 2200
        var messages: [String] = []
        do {
            try context.save()
        } catch let error as NSError {
            let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            for error in errors {
                let key = error.userInfo[NSValidationKeyErrorKey] as? String ?? ""
                switch error.code {
                case NSValidationStringTooShortError: messages.append("\(key) is too short")
                case NSValidationStringTooLongError: messages.append("\(key) is too long")
                case NSValidationNumberTooLargeError: messages.append("\(key) is too large")
                default: messages.append("\(key): \(error.code)")
                }
                try expect(error.userInfo[NSValidationValueErrorKey] != nil)
            }
        }
        try expect(messages.sorted(), is: ["born is too large", "name is too short"])
    }

    suite("The generated defaults are there: date, number and text") {
        let context = PersistenceController(inMemory: true).container.viewContext
        let loan = Loan(context: context)
        try expect(loan.borrowedAt, is: Date(timeIntervalSinceReferenceDate: 600_000_000))
        let book = Book(context: context)
        try expect(book.title, is: "Untitled")
        try expect(book.price, is: 0)
        try expect(book.isAvailable)
        try expect(Author(context: context).born, is: 1900)
    }

    suite("An import by the userInfo of the model takes JSON's own keys") {
        let context = PersistenceController(inMemory: true).container.viewContext
        let json =
            #"[{"title": "Dune", "pages": 600, "published_at": "1965-08-01T00:00:00Z", "rating": 4.5, "isAvailable": false}]"#
        let rows = try JSONSerialization.jsonObject(with: Data(json.utf8)) as! [[String: Any]]
        for row in rows {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            for (name, attribute) in object.entity.attributesByName {
                let jsonKey = attribute.userInfo?["jsonKey"] as? String ?? name
                guard let value = row[jsonKey] else { continue }
                switch attribute.attributeType {
                case .dateAttributeType:
                    object.setValue(ISO8601DateFormatter().date(from: value as! String), forKey: name)
                default:
                    object.setValue(value, forKey: name)
                }
            }
        }
        try context.save()
        let book = try unwrap(context.fetch(Book.fetchRequest() as NSFetchRequest<Book>).first)
        try expect(book.pages, is: 600)
        try expect(book.rating, is: 4.5)
        try expect(book.isAvailable, is: false)
        try expect(book.publishedAt, is: ISO8601DateFormatter().date(from: "1965-08-01T00:00:00Z"))
    }

    suite("An export walks attributes and relationships") {
        let context = PersistenceController(inMemory: true).container.viewContext
        let author = Author("Herbert", in: context)
        let book = Book.make("Dune", pages: 600, by: author, in: context)
        book.price = 9.5
        func export(_ object: NSManagedObject, depth: Int = 0) -> [String: Any] {
            var result = object.dictionaryWithValues(forKeys: Array(object.entity.attributesByName.keys))
            result = result.filter { !($0.value is NSNull) }
            guard depth < 1 else { return result }
            for (name, relationship) in object.entity.relationshipsByName {
                if !relationship.isToMany {
                    (object.value(forKey: name) as? NSManagedObject).map { result[name] = export($0, depth: depth + 1) }
                } else if let set = object.value(forKey: name) as? NSSet {
                    result[name] = set.map { export($0 as! NSManagedObject, depth: depth + 1) }
                } else if let set = object.value(forKey: name) as? NSOrderedSet {
                    result[name] = set.array.map { export($0 as! NSManagedObject, depth: depth + 1) }
                }
            }
            return result
        }
        let dictionary = export(author)
        let books = try unwrap(dictionary["books"] as? [[String: Any]])
        try expect(books[0]["title"] as? String, is: "Dune")
        try expect(books[0]["pages"] as? Int, is: 600)
        try expect(JSONSerialization.isValidJSONObject(dictionary))
        let data = try JSONSerialization.data(withJSONObject: dictionary, options: [.sortedKeys])
        try expect(
            String(decoding: data, as: UTF8.self).contains(#""price":9.5"#), String(decoding: data, as: UTF8.self))
    }

    suite("A deep copy follows the relationships that own") {
        let context = PersistenceController(inMemory: true).container.viewContext
        func copy(
            _ object: NSManagedObject, into context: NSManagedObjectContext,
            done: inout [NSManagedObjectID: NSManagedObject]
        )
            -> NSManagedObject
        {
            if let copied = done[object.objectID] { return copied }
            let result = NSEntityDescription.insertNewObject(forEntityName: object.entity.name!, into: context)
            done[object.objectID] = result
            for key in object.entity.attributesByName.keys
            where !(object.entity.attributesByName[key] is NSDerivedAttributeDescription) {
                result.setValue(object.value(forKey: key), forKey: key)
            }
            for (name, relationship) in object.entity.relationshipsByName {
                if relationship.isToMany && relationship.isOrdered {
                    let copies = object.mutableOrderedSetValue(forKey: name).array.map {
                        copy($0 as! NSManagedObject, into: context, done: &done)
                    }
                    result.setValue(NSOrderedSet(array: copies), forKey: name)
                } else if relationship.isToMany {
                    for member in object.mutableSetValue(forKey: name) {
                        result.mutableSetValue(forKey: name).add(
                            copy(member as! NSManagedObject, into: context, done: &done))
                    }
                } else if let destination = object.value(forKey: name) as? NSManagedObject {
                    result.setValue(copy(destination, into: context, done: &done), forKey: name)
                }
            }
            return result
        }
        let book = Book.make("Dune", pages: 600, by: Author("Herbert", in: context), in: context)
        for borrower in ["a", "b"] {
            let loan = Loan(context: context)
            loan.borrower = borrower
            book.addToLoans(loan)
        }
        var done: [NSManagedObjectID: NSManagedObject] = [:]
        let second = copy(book, into: context, done: &done) as! Book
        try context.save()
        try expect(second.author !== book.author && second.author?.name == "Herbert")
        try expect(second.loans?.array.map { ($0 as! Loan).borrower }, is: ["a", "b"])
        try expect(done.count, is: 4)
    }

    suite("The index of the model editor is in its description") {
        let model = PersistenceController(inMemory: true).container.managedObjectModel
        let index = try unwrap(model.entitiesByName["Book"]?.indexes.first)
        try expect(index.name, is: "byTitle")
        try expect(index.elements.first?.propertyName, is: "title")
        try expect(index.elements.first?.isAscending, is: true)
        try expect(index.elements.first?.collationType == .binary)
        try expect(model.entitiesByName["Book"]?.uniquenessConstraints as? [[String]], is: [["isbn"]])
        try expect(model.versionIdentifiers, is: ["Library-2"])
    }

    suite("Two of the same ISBN are a constraint error that names both") {
        let context = PersistenceController().container.viewContext
        Book.make("Dune", in: context).isbn = "978-0"
        try context.save()
        Book.make("Copy", in: context).isbn = "978-0"
        let error = try expectError { try context.save() }
        try expect(error.code, is: NSManagedObjectConstraintMergeError)
        let conflicts = try unwrap(error.userInfo["conflictList"] as? [NSConstraintConflict])
        try expect(conflicts[0].constraint, is: ["isbn"])
        try expect(conflicts[0].constraintValues["isbn"] as? String, is: "978-0")
        try expect(conflicts[0].conflictingObjects.map { $0.value(forKey: "title") as? String }, is: ["Copy"])
        try expect(conflicts[0].databaseObject?.value(forKey: "title") as? String, is: "Dune")
    }

    suite("Large covers are kept outside of the database and come back") {
        let container = PersistenceController().container
        let book = Book.make("Atlas", in: container.viewContext)
        let cover = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        book.cover = cover
        try container.viewContext.save()
        container.viewContext.refreshAllObjects()
        try expect(book.cover == cover)
        let folder = container.persistentStoreDescriptions[0].url!.deletingLastPathComponent()
            .appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        try expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count, is: 1)
        book.cover = nil
        try container.viewContext.save()
    }
}
