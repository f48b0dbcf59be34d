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

    @Test("An index path of Objective-C's class has section, row and item")
    func indexPaths() {
        let path = IndexPath(row: 3, section: 2) as NSIndexPath
        let row: NSInteger = path.row
        #expect(row == 3 && path.section == 2 && path.row == 3 && path.item == 3)
        #expect(NSIndexPath(forRow: 1, inSection: 0) as IndexPath == IndexPath(item: 1, section: 0))
    }

    @Test("An object responds to the names of its properties and of their setters, and to no others")
    func responds() throws {
        let stack = try TemporaryStack(model: Shelves.model())
        let author = stack.context().make("Author", ["name": "A"])
        for name in ["name", "setName:", "books", "objectID"] {
            #expect(author.responds(to: NSSelectorFromString(name)), "\(name)")
        }
        for name in ["nothing", "setNothing:", "name:", "set:"] {
            #expect(!author.responds(to: NSSelectorFromString(name)), "\(name)")
        }
        let own = Selector("jump", calling: { (_: NSMutableArray, _: Any?) -> Void in })
        #expect(NSMutableArray().responds(to: own) && !NSMutableDictionary().responds(to: own))
    }

    @Test("A request prints its entity, what it filters and sorts by, and its bounds")
    func requestText() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        let bare = "(entity: Author; predicate: ((null)); sortDescriptors: ((null)); type: NSManagedObjectResultType; )"
        #expect("\(request)".hasSuffix(bare))
        request.predicate = NSPredicate(format: "name == 'A'")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 5
        request.resultType = .dictionaryResultType
        for part in ["predicate: (name == \"A\"); ", "(name, ascending, compare:)", "limit: 5; ", "NSDictionary"] {
            #expect("\(request)".contains(part))
        }
    }

    @Test("The constants of migrations are the names of variables")
    func constants() {
        #expect(NSMigrationManagerKey == "manager")
        #expect(NSCoreDataVersionNumber >= NSCoreDataVersionNumber10_11)
    }
}
