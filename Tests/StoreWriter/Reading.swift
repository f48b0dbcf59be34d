import CoreData
import Foundation

/// Does with a store whatever a program may do, and prints `begin`, what happened, and `end`.
struct Reading {
    let url: URL
    let model: NSManagedObjectModel

    init(_ url: URL, model: NSManagedObjectModel) {
        self.url = url
        self.model = model
    }

    func run() {
        Output.line("begin \(url.path)")
        let before = contents()
        attempt("metadata") {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        }
        attempt("read") { try read(StackOpening.container(url, model: model, isReadOnly: true)) }
        Output.line(before == contents() ? "unchanged" : "CHANGED by reading")
        attempt("write") { try write(StackOpening.container(url, model: model)) }
        Output.line("end")
    }

    private func attempt(_ what: String, _ work: () throws -> Void) {
        do {
            try work()
            Output.line("\(what) ok")
        } catch {
            let error = error as NSError
            let text = "\(error.localizedDescription)".replacingOccurrences(of: "\n", with: " ")
            Output.line("\(what) error \(error.domain) \(error.code) \(text)")
        }
    }

    /// All files beside the store, and what is in them.
    private func contents() -> [String: Data] {
        let folder = url.deletingLastPathComponent().path
        var result: [String: Data] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(url.lastPathComponent) {
            result[name] = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
        }
        return result
    }

    private func read(_ container: NSPersistentContainer) throws {
        let context = container.newBackgroundContext()
        var failure: (any Error)?
        for entity in model.entities {
            do { try context.performAndWait { try read(entity, in: context) } } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func read(_ entity: NSEntityDescription, in context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        _ = try context.count(for: request)
        for object in try context.fetch(request) {
            for property in entity.properties {
                switch object.value(forKey: property.name) {
                case let objects as Set<NSManagedObject>: for object in objects { fire(object) }
                case let object as NSManagedObject: fire(object)
                default: break
                }
            }
        }
    }

    /// Makes a fault read its row, as a program does by using it.
    private func fire(_ object: NSManagedObject) {
        guard let attribute = object.entity.attributesByName.keys.sorted().first else { return }
        _ = object.value(forKey: attribute)
    }

    private func write(_ container: NSPersistentContainer) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait { try change(in: context) }
    }

    private func change(in context: NSManagedObjectContext) throws {
        for name in ["Author", "Genre", "Book", "Loan"] where model.entitiesByName[name] != nil {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.fetchLimit = 3
            let objects = try context.fetch(request)
            objects.first.map(context.delete)
            if objects.count > 1, objects[1].entity.attributesByName["name"] != nil {
                objects[1].setValue("changed here", forKey: "name")
            }
        }
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("An author", forKey: "name")
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("A book", forKey: "title")
        book.setValue(UUID(), forKey: "identifier")
        book.setValue(author, forKey: "author")
        try context.save()
    }
}
