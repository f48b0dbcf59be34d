import Foundation
import FoundationCompat
import ManagedObjectModel
import Testing

import class FoundationCompat.NSPredicate

@Suite("Fetch requests")
struct FetchRequestTests {
    private class Person: NSObject {}

    @Test("A request of any result type is a store request that tells a store everything")
    func withoutResultType() throws {
        let request = NSFetchRequest<Person>(entityName: "Person")
        request.fetchLimit = 3
        request.predicate = NSPredicate(format: "age > 3")
        let storeRequest: NSPersistentStoreRequest = request
        let any = try #require(storeRequest as? AnyFetchRequest)
        #expect(any.requestType == .fetchRequestType)
        #expect(any.entityName == "Person" && any.fetchLimit == 3 && any.predicate != nil)
        let erased = any.erasedCopy() as NSPersistentStoreRequest
        #expect(erased is NSFetchRequest<NSFetchRequestResult>)
        #expect(erased == request)
    }

    @Test("A copy keeps its type and leaves the original alone")
    func copy() throws {
        let request = NSFetchRequest<Person>(entityName: "Person")
        let copy = try #require(request.copy() as? NSFetchRequest<Person>)
        copy.fetchOffset = 5
        #expect(request.fetchOffset == 0)
        #expect(copy != request)
    }
}
