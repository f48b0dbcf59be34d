import CoreData

/// A document with all the hooks that apps override.
final class Document: NSManagedObject {
    @NSManaged var createdAt: Date?
    @NSManaged var modifiedAt: Date?
    @NSManaged var firstName: String?
    @NSManaged var lastName: String?
    @NSManaged var fileName: String?
    @NSManaged var pages: NSNumber?
    @NSManaged var attachments: Set<Attachment>
    @NSManaged fileprivate var primitiveCreatedAt: Date?

    var events: [String] = []
    private var cachedTitle: String?

    #if canImport(ObjectiveC)
        @objc
    #endif
    var title: String {
        if let cachedTitle { return cachedTitle }
        let title = [firstName, lastName].compactMap { $0 }.joined(separator: " ")
        cachedTitle = title
        return title
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveCreatedAt = Date(timeIntervalSince1970: 0)
        events.append("insert")
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        events.append("fetch")
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        cachedTitle = nil
        if flags.contains(.undoUpdate) { events.append("undoUpdate") }
        if flags.contains(.undoInsertion) { events.append("undoInsertion") }
        if flags.contains(.undoDeletion) { events.append("undoDeletion") }
        if flags.contains(.rollback) { events.append("rollback") }
        if flags.contains(.refresh) { events.append("refresh") }
    }

    override func willSave() {
        super.willSave()
        if !isDeleted, changedValues()["modifiedAt"] == nil {
            modifiedAt = Date()
        }
    }

    override func didSave() {
        super.didSave()
        events.append("didSave")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        events.append("delete with \(attachments.count)")
        guard let fileName else { return }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(fileName)
        try? FileManager.default.removeItem(at: url)
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        events.append("willFault")
    }

    override func didTurnIntoFault() {
        cachedTitle = nil
        events.append("didFault")
        super.didTurnIntoFault()
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "title" ? ["firstName", "lastName"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    override func setNilValueForKey(_ key: String) {
        events.append("nil for \(key)")
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        try validateConsistency()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateConsistency()
    }

    override func validateForDelete() throws {
        try super.validateForDelete()
        if lastName == "Locked" {
            throw NSError(
                domain: "DocumentErrors", code: 7, userInfo: [NSLocalizedDescriptionKey: "The document is locked."])
        }
    }

    private func validateConsistency() throws {
        guard firstName == nil, lastName != nil else { return }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError,
            userInfo: [
                NSLocalizedDescriptionKey: NSLocalizedString("A last name needs a first name.", comment: ""),
                NSValidationKeyErrorKey: "firstName", NSValidationObjectErrorKey: self,
            ])
    }
}

final class Attachment: NSManagedObject {
    @NSManaged var name: String
    @NSManaged var document: Document?

    nonisolated(unsafe) static var deleted: [String] = []

    override func prepareForDeletion() {
        super.prepareForDeletion()
        Self.deleted.append(name)
    }
}

@MainActor
private func documentContext() throws -> NSManagedObjectContext {
    func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }
    let document = NSEntityDescription()
    document.name = "Document"
    document.managedObjectClassName = NSStringFromClass(Document.self)
    let attachment = NSEntityDescription()
    attachment.name = "Attachment"
    attachment.managedObjectClassName = NSStringFromClass(Attachment.self)
    let attachments = NSRelationshipDescription()
    let owner = NSRelationshipDescription()
    (attachments.name, attachments.destinationEntity, attachments.inverseRelationship) = (
        "attachments", attachment, owner
    )
    attachments.deleteRule = .cascadeDeleteRule
    (owner.name, owner.destinationEntity, owner.inverseRelationship) = ("document", document, attachments)
    (owner.maxCount, owner.deleteRule) = (1, .nullifyDeleteRule)
    document.properties = [
        attribute("createdAt", .dateAttributeType), attribute("modifiedAt", .dateAttributeType),
        attribute("firstName", .stringAttributeType), attribute("lastName", .stringAttributeType),
        attribute("fileName", .stringAttributeType), attribute("pages", .integer32AttributeType), attachments,
    ]
    let name = attribute("name", .stringAttributeType)
    (name.isOptional, name.defaultValue) = (false, "New")
    attachment.properties = [name, owner]
    let model = NSManagedObjectModel()
    model.entities = [document, attachment]
    let container = NSPersistentContainer(name: "Documents", managedObjectModel: model)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("Documents.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
    return container.viewContext
}

/// The hooks of an object's life.
@MainActor
func lifecycleIdioms(_ suite: Suite) {
    suite("awakeFromInsert runs once and sets a primitive value") {
        let context = try documentContext()
        let document = Document(context: context)
        try expect(document.events, is: ["insert"])
        try expect(document.createdAt, is: Date(timeIntervalSince1970: 0))
        try context.save()
        try expect(document.createdAt, is: Date(timeIntervalSince1970: 0))
    }

    suite("awakeFromFetch runs each time a fault fires") {
        let context = try documentContext()
        let document = Document(context: context)
        document.firstName = "Ada"
        try context.save()
        context.refresh(document, mergeChanges: false)
        document.events = []
        _ = document.firstName
        _ = document.lastName
        try expect(document.events, is: ["fetch"])
    }

    suite("willSave sets the date of the change, once a save") {
        let context = try documentContext()
        let document = Document(context: context)
        try context.save()
        let first = try unwrap(document.modifiedAt)
        document.firstName = "Ada"
        Thread.sleep(forTimeInterval: 0.01)
        try context.save()
        try expect(document.modifiedAt! > first)
        try expect(!context.hasChanges)
        context.refresh(document, mergeChanges: false)
        try expect(document.modifiedAt! > first)
    }

    suite("didSave runs after the save, for deleted objects too") {
        let context = try documentContext()
        let document = Document(context: context)
        try context.save()
        try expect(document.events, is: ["insert", "didSave"])
        context.delete(document)
        try context.save()
        try expect(document.events.filter { $0 == "didSave" }.count, is: 2)
    }

    suite("prepareForDeletion still sees the relationships and removes the file") {
        let context = try documentContext()
        let document = Document(context: context)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("doc.txt")
        try Data("text".utf8).write(to: url)
        document.fileName = "doc.txt"
        for name in ["a", "b"] {
            let attachment = Attachment(context: context)
            attachment.name = name
            attachment.document = document
        }
        try context.save()
        document.events = []
        context.delete(document)
        try context.save()
        try expect(document.events.first, is: "delete with 2")
        try expect(document.events.filter { $0.hasPrefix("delete") }.count, is: 1)
        try expect(!FileManager.default.fileExists(atPath: url.path))
        try expect(Attachment.deleted.sorted(), is: ["a", "b"])
    }

    suite("An object hears that it becomes a fault") {
        let context = try documentContext()
        let document = Document(context: context)
        document.firstName = "Ada"
        try context.save()
        try expect(document.title, is: "Ada")
        document.events = []
        context.refresh(document, mergeChanges: false)
        try expect(document.events, is: ["willFault", "didFault"])
    }

    suite("A cached value is dropped when an undo changes what it is made of") {
        let context = try documentContext()
        context.undoManager = UndoManager()
        let document = Document(context: context)
        document.firstName = "Ada"
        try context.save()
        context.undoManager?.removeAllActions()
        document.firstName = "Grace"
        try expect(document.title, is: "Grace")
        context.undo()
        try expect(document.events.contains("undoUpdate"), "\(document.events)")
        try expect(document.title, is: "Ada")
    }

    suite("Undone insertions and deletions wake the object") {
        let context = try documentContext()
        let undoManager = UndoManager()
        context.undoManager = undoManager
        let document = Document(context: context)
        try context.save()
        undoManager.removeAllActions()
        context.delete(document)
        context.processPendingChanges()
        undoManager.undo()
        try expect(document.events.contains("undoDeletion"), "\(document.events)")
        try expect(document.managedObjectContext === context && !document.isDeleted)
    }

    suite("A rollback and a refresh wake the object") {
        let context = try documentContext()
        let document = Document(context: context)
        document.firstName = "Ada"
        try context.save()
        document.firstName = "Grace"
        context.rollback()
        try expect(document.firstName, is: "Ada")
        document.lastName = "Lovelace"
        context.refresh(document, mergeChanges: true)
        try expect(document.lastName, is: "Lovelace")
        try expect(document.events.contains("refresh"), "\(document.events)")
    }

    suite("A validation of the class's own stops the save with its message") {
        let context = try documentContext()
        let document = Document(context: context)
        document.lastName = "Lovelace"
        let error = try expectError { try context.save() }
        try expect(error.localizedDescription, is: "A last name needs a first name.")
        try expect(error.userInfo[NSValidationKeyErrorKey] as? String, is: "firstName")
        document.firstName = "Ada"
        try context.save()
        document.firstName = nil
        try expect(try expectError { try context.save() }.code, is: NSManagedObjectValidationError)
    }

    suite("validateForDelete keeps an object with an error of the program's own") {
        let context = try documentContext()
        let document = Document(context: context)
        (document.firstName, document.lastName) = ("Ada", "Locked")
        try context.save()
        context.delete(document)
        let error = try expectError { try context.save() }
        try expect(error.domain, is: "DocumentErrors")
        try expect(error.code, is: 7)
        context.rollback()
        try expect(document.lastName, is: "Locked")
    }

    suite("Errors of the class and of others come together") {
        let context = try documentContext()
        let first = Document(context: context)
        first.lastName = "X"
        let second = Document(context: context)
        second.lastName = "Y"
        let error = try expectError { try context.save() }
        try expect(error.code, is: NSValidationMultipleErrorsError)
        let errors = try unwrap(error.userInfo[NSDetailedErrorsKey] as? [NSError])
        try expect(errors.allSatisfy { $0.localizedDescription == "A last name needs a first name." })
    }

    suite("A key that depends on others is told when they change") {
        let context = try documentContext()
        let document = Document(context: context)
        var count = 0
        let observation = document.observe(\.title) { _, _ in count += 1 }
        document.firstName = "Ada"
        document.lastName = "Lovelace"
        document.fileName = "not a part"
        observation.invalidate()
        try expect(count, is: 2)
    }

    suite("changedValuesForCurrentEvent tells of this event only") {
        let context = try documentContext()
        let document = Document(context: context)
        document.firstName = "Ada"
        try context.save()
        document.firstName = "Grace"
        try expect(document.changedValuesForCurrentEvent().keys.sorted(), is: ["firstName"])
        context.processPendingChanges()
        try expect(document.changedValuesForCurrentEvent().isEmpty)
        document.lastName = "Hopper"
        try expect(document.changedValuesForCurrentEvent().keys.sorted(), is: ["lastName"])
        try expect(document.changedValues().keys.sorted(), is: ["firstName", "lastName"])
        try expect(document.isUpdated)
    }

    suite("An optional number is an NSNumber that may be nil") {
        let context = try documentContext()
        let document = Document(context: context)
        try expect(document.pages == nil)
        document.pages = 3
        try context.save()
        context.refresh(document, mergeChanges: false)
        try expect(document.pages?.intValue, is: 3)
        document.pages = nil
        try context.save()
        let request = NSFetchRequest<Document>(entityName: "Document")
        request.predicate = NSPredicate(format: "pages == nil")
        try expect(try context.count(for: request), is: 1)
    }

    suite("A primitive change is not told and not saved by itself") {
        let context = try documentContext()
        let document = Document(context: context)
        try context.save()
        document.setPrimitiveValue("quiet", forKey: "firstName")
        try expect(!context.hasChanges)
        document.willChangeValue(forKey: "firstName")
        document.setPrimitiveValue("loud", forKey: "firstName")
        document.didChangeValue(forKey: "firstName")
        try expect(context.hasChanges)
        try context.save()
        context.refresh(document, mergeChanges: false)
        try expect(document.primitiveValue(forKey: "firstName") == nil || document.firstName == "loud")
        try expect(document.firstName, is: "loud")
    }
}
