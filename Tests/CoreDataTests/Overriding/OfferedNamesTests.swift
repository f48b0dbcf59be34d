import CoreData
import Foundation
import Observation
import Testing

private final class Remark: NSManagedObject {}

// A program may declare this of its classes: nobody has before.
extension Remark: Observable {}

@Suite("What programs name is there")
struct OfferedNamesTests {
    @Test("A file protection type is an object, as options of stores are")
    func fileProtection() {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/x.sqlite"))
        description.setOption(FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
        #expect(description.options[NSPersistentStoreFileProtectionKey] as? FileProtectionType == .complete)
    }

    @Test("Notifications are an asynchronous sequence")
    func notifications() async {
        let name = Notification.Name("OfferedNamesTests")
        let notifications = NotificationCenter.default.notifications(named: name)
        NotificationCenter.default.post(name: name, object: nil, userInfo: ["number": 1])
        var iterator = notifications.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.userInfo?["number"] as? Int == 1)
    }

    @Test("The constants of migrations are the names of variables")
    func constants() {
        #expect(NSMigrationManagerKey == "manager")
        #expect(NSCoreDataVersionNumber >= NSCoreDataVersionNumber10_11)
    }
}
