// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As Xcode writes such a class: without comments.

import CoreData

/// A class that is written by hand, as Xcode's "Create NSManagedObject Subclass" and its users leave it.
public class Person: NSManagedObject {
    @NSManaged public var age: Int16
    @NSManaged public var birthday: Date?
    @NSManaged public var email: String?
    @NSManaged public var id: UUID?
    @NSManaged public var isFavorite: Bool
    @NSManaged public var name: String?
    @NSManaged public var photo: Data?
    @NSManaged public var score: Double
    @NSManaged public var skills: [String]?
    @NSManaged public var department: Department?
    @NSManaged public var manager: Manager?
    @NSManaged public var projects: Set<Project>
    @NSManaged public var todos: NSSet?

    /// What a section of a list is called.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var initial: String? {
        willAccessValue(forKey: "initial")
        defer { didAccessValue(forKey: "initial") }
        return name.map { String($0.prefix(1)).uppercased() }
    }

    #if canImport(ObjectiveC)
        @objc
    #endif
    public var isAdult: Bool { age >= 18 }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: "id")
    }

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Person> {
        NSFetchRequest<Person>(entityName: "Person")
    }
}

extension Person {
    @NSManaged public func addToTodos(_ value: Todo)
    @NSManaged public func removeFromTodos(_ value: Todo)
    @NSManaged public func addToTodos(_ values: NSSet)
    @NSManaged public func removeFromTodos(_ values: NSSet)
}

extension Person: Identifiable {}
