import CoreData
import ForeignExtensions
import Testing

@Suite("Methods that a program's packages add to Core Data's classes")
struct ForeignExtensionTests {
    private struct Failure: Error {}

    @Test("are called in the place of Core Data's of the same signature, which came later")
    func waiting() throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let count = context.performAndWait { 3 }
        #expect(count == 3)
        #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
        #expect(context.userInfo["waits"] as? Int == 2)
    }
}
