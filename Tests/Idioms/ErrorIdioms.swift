import CoreData

/// What an app shows for an error of a save.
private func message(for error: any Error) -> String {
    guard let error = error as? CocoaError else { return error.localizedDescription }
    switch error.code {
    case .validationMissingMandatoryProperty: return "\(error.validationKey ?? "?") is missing"
    case .validationStringTooShort, .validationStringTooLong:
        return "\(error.validationKey ?? "?") has the wrong length"
    case .validationNumberTooSmall, .validationNumberTooLarge: return "\(error.validationKey ?? "?") is out of range"
    case .validationRelationshipDeniedDelete: return "still in use"
    case .validationMultipleErrors:
        let errors = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
        return errors.map { message(for: $0) }.sorted().joined(separator: ", ")
    case .managedObjectMerge: return "changed elsewhere"
    case .managedObjectConstraintMerge: return "exists already"
    default: return "error \(error.code.rawValue)"
    }
}

/// Errors as programs catch, sort and show them.
@MainActor
func errorIdioms(_ suite: Suite) {
    func context() -> NSManagedObjectContext { PersistenceController().container.viewContext }

    suite("An app's messages for every kind of validation") {
        let context = context()
        func text(_ make: () -> Void) -> String {
            make()
            defer { context.rollback() }
            do { try context.save() } catch { return message(for: error) }
            return "none"
        }
        try expect(text { _ = Author(context: context) }, is: "name is missing")
        try expect(text { _ = Author("A", in: context) }, is: "name has the wrong length")
        try expect(text { _ = Author(String(repeating: "x", count: 41), in: context) }, is: "name has the wrong length")
        try expect(text { Author("Ok", in: context).born = -1 }, is: "born is out of range")
        try expect(
            text {
                _ = Author(context: context)
                Author("Ok", in: context).born = 3000
            }, is: "born is out of range, name is missing")
        try expect(text { _ = Loan(context: context) }, is: "book is missing")
    }

    suite("A constraint that is hurt is an error of its own code") {
        let context = context()
        for _ in 0..<2 { Book.make("Dune", in: context).isbn = "978-0" }
        do {
            try context.save()
            throw Unexpected(description: "saved")
        } catch let error as CocoaError {
            try expect(message(for: error), is: "exists already")
            try expect(error.code.rawValue, is: NSManagedObjectConstraintMergeError)
        }
    }

    suite("Detailed errors name their objects, which can be marked in a form") {
        let context = context()
        let (first, second) = (Author(context: context), Author(context: context))
        let error = try expectError { try context.save() }
        let details = try unwrap(error.userInfo[NSDetailedErrorsKey] as? [NSError])
        let objects = Set(details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? Author })
        try expect(objects, is: [first, second])
        try expect(details.allSatisfy { $0.domain == NSCocoaErrorDomain })
        try expect(details.allSatisfy { ($0 as? CocoaError)?.isValidationError == true })
    }

    suite("A pattern match by code works with catch") {
        let context = context()
        _ = Author(context: context)
        do {
            try context.save()
            throw Unexpected(description: "saved")
        } catch CocoaError.validationMissingMandatoryProperty {
        }
        context.rollback()
        let author = Author("Ok", in: context)
        _ = Book.make("Dune", by: author, in: context)
        try context.save()
        context.delete(author)
        do {
            try context.save()
            throw Unexpected(description: "saved")
        } catch CocoaError.validationRelationshipDeniedDelete {
        }
    }

    suite("The old constants are the new codes") {
        let pairs: [(Int, CocoaError.Code)] = [
            (NSManagedObjectValidationError, .managedObjectValidation),
            (NSValidationMultipleErrorsError, .validationMultipleErrors),
            (NSValidationMissingMandatoryPropertyError, .validationMissingMandatoryProperty),
            (NSValidationRelationshipLacksMinimumCountError, .validationRelationshipLacksMinimumCount),
            (NSValidationRelationshipExceedsMaximumCountError, .validationRelationshipExceedsMaximumCount),
            (NSValidationNumberTooLargeError, .validationNumberTooLarge),
            (NSValidationDateTooLateError, .validationDateTooLate),
            (NSValidationStringPatternMatchingError, .validationStringPatternMatching),
            (NSManagedObjectMergeError, .managedObjectMerge),
            (NSPersistentStoreIncompatibleVersionHashError, .persistentStoreIncompatibleVersionHash),
            (NSPersistentStoreOpenError, .persistentStoreOpen),
            (NSMigrationMissingSourceModelError, .migrationMissingSourceModel),
            (NSMigrationCancelledError, .migrationCancelled), (NSSQLiteError, .sqlite), (NSCoreDataError, .coreData),
        ]
        for (constant, code) in pairs { try expect(code.rawValue, is: constant) }
        try expect(NSManagedObjectValidationError, is: 1550)
        try expect(NSManagedObjectMergeError, is: 133_020)
        try expect(NSPersistentStoreIncompatibleVersionHashError, is: 134_100)
        try expect(NSPersistentHistoryTokenExpiredError, is: 134_301)
    }

    suite("Too few of a to-many and dates out of bounds are validation errors") {
        let (group, member) = (NSEntityDescription(), NSEntityDescription())
        (group.name, member.name) = ("Group", "Member")
        let (members, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (members.name, members.destinationEntity, members.inverseRelationship) = ("members", member, owner)
        (members.minCount, members.maxCount, members.isOptional) = (2, 3, false)
        (owner.name, owner.destinationEntity, owner.inverseRelationship, owner.maxCount) = ("group", group, members, 1)
        let start = NSAttributeDescription()
        (start.name, start.type, start.isOptional) = ("start", .date, true)
        start.setValidationPredicates(
            [NSPredicate(format: "SELF >= %@", Date(timeIntervalSince1970: 0) as NSDate)],
            withValidationWarnings: ["Too soon"])
        group.properties = [members, start]
        member.properties = [owner]
        let model = NSManagedObjectModel()
        model.entities = [group, member]
        let container = NSPersistentContainer(name: "Groups", managedObjectModel: model)
        container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        let context = container.viewContext
        let object = NSEntityDescription.insertNewObject(forEntityName: "Group", into: context)
        let one = NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
        one.setValue(object, forKey: "group")
        try expect(try expectError { try context.save() }.code, is: NSValidationRelationshipLacksMinimumCountError)
        NSEntityDescription.insertNewObject(forEntityName: "Member", into: context).setValue(object, forKey: "group")
        object.setValue(Date(timeIntervalSince1970: -1), forKey: "start")
        let error = try expectError { try context.save() }
        try expect(error.userInfo[NSValidationKeyErrorKey] as? String, is: "start")
        object.setValue(Date(), forKey: "start")
        try context.save()
    }

    suite("An unknown key stops nothing that asks first") {
        let context = context()
        let book = Book.make("Dune", in: context)
        let keys = ["title", "nonsense", "author"].filter { book.entity.propertiesByName[$0] != nil }
        try expect(keys, is: ["title", "author"])
        try expect(book.entity.propertiesByName["title"] is NSAttributeDescription)
        try expect(
            (book.entity.propertiesByName["author"] as? NSRelationshipDescription)?.destinationEntity?.name,
            is: "Author")
    }

    suite("A store of an unknown type is an error") {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: PersistenceController(inMemory: true).container.managedObjectModel)
        let error = try expectError {
            _ = try coordinator.addPersistentStore(ofType: "Unheard", configurationName: nil, at: nil, options: nil)
        }
        try expect(error.code, is: NSPersistentStoreInvalidTypeError)
    }

    suite("A configuration that the model hasn't is an error or a stop that names it") {
        let model = PersistenceController(inMemory: true).container.managedObjectModel
        try expect(model.entities(forConfigurationName: "Unheard") == nil)
        try expect(model.configurations.contains("Unheard"), is: false)
        try expect(model.entities(forConfigurationName: nil)?.count, is: 3)
    }

    suite("localizedError types of the program pass through a block unchanged") {
        enum ImportError: LocalizedError {
            case wrongDataFormat(error: any Error)
            case missingData
            var errorDescription: String? {
                switch self {
                case .wrongDataFormat: "Could not digest the fetched data."
                case .missingData: "Found and will discard a quake missing a valid code."
                }
            }
        }
        let context = PersistenceController().container.newBackgroundContext()
        do {
            try context.performAndWait { throw ImportError.missingData }
        } catch {
            try expect(error.localizedDescription, is: "Found and will discard a quake missing a valid code.")
        }
    }
}
