import CoreData
import Foundation
import Testing

@Suite("Dates that Foundation can't describe are described, and don't end the program")
struct UndescribableDateTests {
    private static let seconds: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e18]

    private func stack(_ storeType: String) throws -> TemporaryStack {
        let event = NSEntityDescription()
        event.name = "Event"
        event.properties = [
            MigrationLibrary.attribute("date", .dateAttributeType),
            MigrationLibrary.attribute("count", .integer64AttributeType),
            MigrationLibrary.attribute("list", .transformableAttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [event]
        return try TemporaryStack(model: model, storeType: storeType)
    }

    @Test("by an object, a conflict, and a section", arguments: Library.storeTypes, seconds)
    func texts(storeType: String, seconds: Double) throws {
        let stack = try stack(storeType)
        let (context, other) = (stack.context(), stack.context())
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let event = context.make("Event", ["date": date, "count": 1, "list": [[date], ["k": date]] as NSArray])
        #expect(event.description.contains("\(seconds)"))
        try context.save()
        #expect(event.description.contains("count = 1"))

        // SQLite has no number that is none: the date is nil there.
        let same = try #require(other.all("Event").first)
        same.setValue(2, forKey: "count")
        try other.save()
        event.setValue(3, forKey: "count")
        // Swift Testing would describe the error by its parts, the date among them.
        var text: String?
        let code = thrownCode {
            do {
                try context.save()
            } catch {
                text = "\(error)"
                throw error
            }
        }
        #expect(code == NSManagedObjectMergeError && text?.contains("count: 3") == true)

        let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
        request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: other, sectionNameKeyPath: "date", cacheName: nil)
        try controller.performFetch()
        #expect(controller.sections?.count == 1)
    }
}
