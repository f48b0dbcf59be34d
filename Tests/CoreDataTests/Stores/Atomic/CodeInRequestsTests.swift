import CoreData
import Foundation
import Synchronization
import Testing

/// Code of a program that a fetch runs may wait for another thread that uses the same coordinator.
@Suite("Code that a fetch runs, runs outside of the store's lock")
struct CodeInRequestsTests {
    /// Hands the coordinator to another thread, and waits until that has fetched.
    private final class OtherThread: Sendable {
        private let coordinator: NSPersistentStoreCoordinator
        let outcomes = Mutex<[DispatchTimeoutResult]>([])

        init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

        func fetch() {
            if outcomes.withLock({ $0.count }) > 2 { return }
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [coordinator] in
                let context = NSManagedObjectContext(.privateQueue)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait { _ = try? context.all("Note") }
                done.signal()
            }
            let outcome = done.wait(timeout: .now() + 20)
            outcomes.withLock { $0.append(outcome) }
        }
    }

    private static let other = TaskLocal<OtherThread?>(wrappedValue: nil)

    private final class Transformer: ValueTransformer, @unchecked Sendable {
        override class func transformedValueClass() -> AnyClass { NSData.self }
        override class func allowsReverseTransformation() -> Bool { true }

        override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }

        override func reverseTransformedValue(_ value: Any?) -> Any? {
            CodeInRequestsTests.other.get()?.fetch()
            return (value as? Data).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func model() -> NSManagedObjectModel {
        let name = NSValueTransformerName("CodeInRequestsTransformer")
        ValueTransformer.setValueTransformer(Transformer(), forName: name)
        let (entity, text, shape) = (NSEntityDescription(), NSAttributeDescription(), NSAttributeDescription())
        entity.name = "Note"
        (text.name, text.attributeType) = ("text", .stringAttributeType)
        (shape.name, shape.attributeType) = ("shape", .transformableAttributeType)
        shape.valueTransformerName = name.rawValue
        entity.properties = [text, shape]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    @Test(
        "so that it may wait for another fetch through the coordinator",
        arguments: [NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
    func waits(storeType: String) throws {
        let stack = try TemporaryStack(model: Self.model(), storeType: storeType)
        let writer = stack.context()
        for number in 0..<3 { writer.make("Note", ["text": "\(3 - number)", "shape": "s\(number)"]) }
        try writer.save()
        let coordinator = stack.container.persistentStoreCoordinator
        func fetch(_ prepare: (NSFetchRequest<NSManagedObject>, OtherThread) -> Void) throws
            -> [String]
        {
            let other = OtherThread(coordinator)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            prepare(request, other)
            let texts = try Self.other.withValue(other) {
                try context.performAndWait { try context.fetch(request).compactMap { $0.text("text") } }
            }
            let outcomes = other.outcomes.withLock { $0 }
            #expect(!outcomes.isEmpty && outcomes.allSatisfy { $0 == .success })
            return texts
        }
        #expect(
            try fetch { request, other in
                request.predicate = NSPredicate { object, _ in
                    other.fetch()
                    return (object as? NSManagedObject)?.text("text") != "2"
                }
                request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            } == ["1", "3"])
        #expect(
            try fetch { request, _ in request.predicate = NSPredicate(format: "shape == %@", "s1") } == ["2"])
        #expect(
            try fetch { request, other in
                request.fetchLimit = 2
                request.sortDescriptors = [
                    NSSortDescriptor(key: "text", ascending: false) { left, right in
                        other.fetch()
                        return (left as! String).compare(right as! String)
                    }
                ]
            } == ["3", "2"])
    }
}
