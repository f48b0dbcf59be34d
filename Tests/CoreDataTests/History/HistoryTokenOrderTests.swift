import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSPredicate

@Suite("Tokens of history in a predicate")
struct HistoryTokenOrderTests {
    @Test("A token is behind those of earlier transactions")
    func order() throws {
        let stack = try TrackedStack(model: ArticleStores.makeModel())
        let (context, coordinator) = (stack.context, stack.coordinator)
        try context.performAndWait {
            var tokens: [NSPersistentHistoryToken] = []
            for number in 0..<4 {
                let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                tag.setValue("\(number)", forKey: "label")
                try context.save()
                tokens.append(try #require(coordinator.currentPersistentHistoryToken(fromStores: nil)))
            }
            for (format, token, count) in [
                ("token > %@", tokens[0], 3), ("token >= %@", tokens[0], 4), ("token < %@", tokens[3], 3),
                ("token == %@", tokens[1], 1), ("token <= %@ AND author == nil", tokens[1], 2),
            ] {
                let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
                request.predicate = NSPredicate(format: format, argumentArray: [token])
                let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request))
                let transactions = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
                #expect(transactions?.count == count, "\(format)")
            }
        }
    }
}
