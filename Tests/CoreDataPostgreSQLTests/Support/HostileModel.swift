import CoreData
import Foundation

/// Notes, folders and labels whose names end whatever they stand in, if they get the chance. A quote with a combining mark behind it
/// is one character to Swift and a quote to a server.
struct HostileModel {
    /// What is behind each name, before which stands a word that tells it from others.
    static let suffix = "\"\u{301}'\u{301}\\'; DROP TABLE bystander; --$1 ?é🐉"

    /// Which of two versions: all names differ, and the second one's have the first one's as their former ones.
    let version: Int

    func name(_ word: String) -> String { (version == 1 ? "" : "new ") + word + Self.suffix }

    var note: String { name("Note") }
    var memo: String { name("Memo") }
    var folder: String { name("Folder") }
    var label: String { name("Label") }
    var title: String { name("title") }
    var text: String { name("text") }
    var stars: String { name("stars") }
    /// Derived from the notes of a folder.
    var count: String { name("count") }
    /// Derived from the folder of a note.
    var home: String { name("home") }
    var notes: String { name("notes") }
    var labels: String { name("labels") }
    /// Has no inverse.
    var pinned: String { name("pinned") }

    func make() -> NSManagedObjectModel {
        let note = entity("Note", [attribute("text"), attribute("stars", .integer32AttributeType)])
        let (folder, label, memo) = (entity("Folder"), entity("Label"), entity("Memo"))
        // A memo has the note's title.
        memo.properties = version == 1 ? [] : [attribute("sender", initial: Self.suffix)]
        note.subentities = [memo]
        note.uniquenessConstraints = [[title]]
        note.attributesByName[title]?.preservesValueInHistoryOnDeletion = true
        let index = NSFetchIndexDescription(
            name: name("index"),
            elements: [
                NSFetchIndexElementDescription(property: note.attributesByName[text]!, collationType: .binary)
            ])
        index.partialIndexPredicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: text),
            rightExpression: NSExpression(forConstantValue: Self.suffix), modifier: .direct, type: .notEqualTo)
        let home = relationship("folder", to: folder, many: false)
        let notes = relationship("notes", to: note, many: true)
        notes.isOrdered = true
        let (labels, labelled) = (
            relationship("labels", to: label, many: true), relationship("labelled", to: note, many: true)
        )
        for (one, other) in [(home, notes), (labels, labelled)] {
            one.inverseRelationship = other
            other.inverseRelationship = one
        }
        note.properties += [
            home, labels, derived("home", .stringAttributeType, "\(name("folder")).\(title)"),
        ]
        note.indexes = [index]
        folder.properties += [
            notes, relationship("pinned", to: note, many: true),
            derived("count", .integer32AttributeType, "\(self.notes).@count"),
        ]
        label.properties.append(labelled)
        let model = NSManagedObjectModel()
        model.entities = [note, memo, folder, label]
        return model
    }

    private func entity(_ word: String, _ more: [NSAttributeDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name(word)
        entity.renamingIdentifier = word
        entity.properties = [attribute("title")] + more
        return entity
    }

    private func attribute(_ word: String, _ type: NSAttributeType = .stringAttributeType, initial: Any? = nil)
        -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        attribute.name = name(word)
        attribute.renamingIdentifier = word
        attribute.attributeType = type
        attribute.isOptional = initial == nil
        attribute.defaultValue = initial
        return attribute
    }

    private func derived(_ word: String, _ type: NSAttributeType, _ keyPath: String) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name(word)
        attribute.renamingIdentifier = word
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(forKeyPath: keyPath)
        return attribute
    }

    private func relationship(_ word: String, to entity: NSEntityDescription, many: Bool) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name(word)
        relationship.renamingIdentifier = word
        relationship.destinationEntity = entity
        relationship.isOptional = true
        relationship.maxCount = many ? 0 : 1
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    // MARK: Use

    /// A text that would do harm, with something to tell it by.
    static func text(_ number: Int) -> String { "\(number)" + suffix }

    @discardableResult
    func object(_ entity: String, _ number: Int, in context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(Self.text(number), forKey: title)
        return object
    }

    func all(_ entity: String, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: title, ascending: true)]
        request.relationshipKeyPathsForPrefetching = entity == note ? [labels] : []
        return try context.fetch(request)
    }

    /// Everything in a store, as lines.
    func contents(_ context: NSManagedObjectContext) throws -> [String] {
        context.reset()
        func titles(_ objects: Any?) -> [String] {
            ((objects as? NSOrderedSet)?.array ?? (objects as? Set<AnyHashable>).map(Array.init) ?? []).map {
                ($0 as? NSManagedObject)?.value(forKey: title) as? String ?? "nil"
            }
        }
        let folders = try all(folder, in: context).map { object in
            "\(object.value(forKey: title) ?? "nil"): \(object.value(forKey: count) ?? "nil") notes, "
                + titles(object.value(forKey: notes)).joined(separator: ">") + ", pinned "
                + titles(object.value(forKey: pinned)).sorted().joined(separator: "+")
        }
        return folders
            + (try all(note, in: context).map { object in
                let values = [title, text, stars, home].map { "\(object.value(forKey: $0) ?? "nil")" }
                return values.joined(separator: " | ") + " | "
                    + titles(object.value(forKey: labels)).sorted().joined(separator: "+")
            })
    }
}
