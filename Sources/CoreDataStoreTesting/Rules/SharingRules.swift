import CoreData
import Foundation

extension StoreRule {
    /// What holds where several stacks have a store open at once, as several programs do with a database or a service.
    static let sharingRules: [StoreRule] = [
        StoreRule("What another stack has saved is there to be fetched", where: \.isShared) { trial in
            let (stack, other) = try twoStacks(trial)
            try other.run { context in
                context.make("Genre", ["name": "Poetry"])
                context.delete(try context.object("Book", "Fiasco"))
                try context.object("Book", "Tehanu").setValue(5, forKey: "pages")
                try context.save()
            }
            try stack.run { context in
                trial.expectEqual(try context.all("Genre", "name == 'Poetry'").count, 1, "genres that are new")
                trial.expectEqual(try context.all("Book", "name == 'Fiasco'").count, 0, "books that were deleted")
                trial.expectEqual(
                    try context.all("Book", "pages == 5").map(\.name), ["Tehanu"], "books that were changed")
            }
        },
        StoreRule("A change over what another stack has saved is a conflict, not a lost update", where: \.isShared) {
            trial in
            let (stack, other) = try twoStacks(trial)
            try stack.run { context in
                let book = try context.object("Book", "Tehanu")
                try other.run { theirs in
                    try theirs.object("Book", "Tehanu").setValue(5, forKey: "pages")
                    try theirs.save()
                }
                book.setValue("Mine", forKey: "name")
                let error = trial.expectError("the second save") { try context.save() }
                trial.expectEqual(error?.code, NSManagedObjectMergeError, "the error's code")
                let kept = try other.inNewContext { try $0.all("Book", "pages == 5").map(\.name) }
                trial.expectEqual(kept, ["Tehanu"], "what the other stack's save has made of the book")
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                try context.save()
                let merged = try other.inNewContext { try $0.all("Book", "pages == 5").map(\.name) }
                trial.expectEqual(merged, ["Mine"], "the book after the merge")
            }
        },
        StoreRule(
            "A deletion of what another stack has changed, and a change of what it has deleted", where: \.isShared
        ) {
            trial in
            let (stack, other) = try twoStacks(trial)
            try stack.run { context in
                let (changed, deleted) = (try context.object("Book", "Tehanu"), try context.object("Book", "Fiasco"))
                _ = [changed, deleted].map { book in book.entity.relationshipsByName.keys.map { book.names($0) } }
                try other.run { theirs in
                    try theirs.object("Book", "Tehanu").setValue(5, forKey: "pages")
                    theirs.delete(try theirs.object("Book", "Fiasco"))
                    try theirs.save()
                }
                context.delete(changed)
                var error = trial.expectError("the deletion of a changed object") { try context.save() }
                trial.expectEqual(error?.code, NSManagedObjectMergeError, "the code of the deletion's error")
                context.rollback()
                deleted.setValue(5, forKey: "pages")
                error = trial.expectError("the change of a deleted object") { try context.save() }
                trial.expectEqual(error?.code, NSManagedObjectMergeError, "the code of the change's error")
                trial.expectEqual(
                    try other.inNewContext { try $0.all("Book", sort: "number").map(\.name) },
                    ["Tehanu", "Rocannon", "Solaris", "Kindred", "Beowulf"], "the books")
            }
        },
    ]

    /// A store with the library, in two stacks.
    private static func twoStacks(_ trial: StoreTrial) throws -> (TrialStack, TrialStack) {
        let stack = try TrialLibrary.stack(in: trial)
        return (stack, try trial.open())
    }
}
