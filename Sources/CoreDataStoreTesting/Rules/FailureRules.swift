import CoreData
import Foundation

extension StoreRule {
    static let failureRules: [StoreRule] = [
        StoreRule(
            "A failed save leaves context and store as they were, and can be tried again",
            where: { $0.breakSaving != nil }
        ) { trial in
            guard let breakSaving = trial.conformance.breakSaving else { return }
            let stack = try TrialLibrary.stack(in: trial)
            let url = try trial.require(stack.store.url, "URL of the store")
            let before = try stack.inNewContext { try TrialLibrary.lines($0) }
            try stack.run { context in
                let book = try context.object("Book", "Tehanu")
                book.setValue(1, forKey: "pages")
                let fiasco = try context.object("Book", "Fiasco")
                context.delete(fiasco)
                let genre = context.make("Genre", ["name": "Poetry"])
                book.setValue(Set([genre]), forKey: "genres")
                // A relationship that can't be read keeps a context from saving until it is rolled back: another matter.
                context.processPendingChanges()
                for object in context.updatedObjects.union(context.deletedObjects) {
                    for name in object.entity.relationshipsByName.keys { _ = object.names(name) }
                }
                let repair = try breakSaving(url)
                trial.expectError("a save that can't be made") { try context.save() }
                trial.expectEqual(context.insertedObjects, [genre], "the inserted objects after the failure")
                trial.expectEqual(context.deletedObjects, [fiasco], "the deleted objects after the failure")
                trial.expect(context.updatedObjects.contains(book), "the changed object should still be changed")
                trial.expect(genre.objectID.isTemporaryID, "a new object should have a temporary ID still")
                trial.expectEqual(SampleValue.text(book.value(forKey: "pages")), "1", "the unsaved value")
                try repair()
                let seen = try stack.inNewContext { try TrialLibrary.lines($0) }
                trial.expectEqual(seen, before, "what another context sees after the failure")
                if trial.conformance.keepsContents {
                    let other = try trial.open(url)
                    trial.expectSame(try other.run { try TrialLibrary.lines($0) }, before, "what was written")
                    try other.close()
                }
                try context.save()
                trial.expect(!context.hasChanges, "the second try should save everything")
            }
            try trial.reopened(stack) { context in
                trial.expectEqual(try context.object("Book", "Tehanu").names("genres"), ["Poetry"], "the saved genres")
                trial.expectEqual(try context.all("Book", "name == 'Fiasco'").count, 0, "books that were deleted")
            }
        },
        StoreRule("A store that isn't one can't be opened: an error, and no crash", where: \.keepsContents) { trial in
            for damage in trial.conformance.damages {
                let url = try trial.storeURL(damage.name)
                let stack = try trial.open(url)
                try stack.inNewContext { try TrialLibrary.fill($0) }
                try stack.close()
                try damage.apply(url)
                let error = trial.expectError("opening \(damage.name)") {
                    let damaged = try trial.open(url)
                    _ = try damaged.run { try TrialLibrary.lines($0) }
                }
                trial.expect(
                    !(error?.localizedDescription ?? "-").isEmpty, "\(damage.name): the error should say something")
            }
        },
        StoreRule("A validation error keeps a save from the store") { trial in
            let model = TrialModel.make()
            model.entitiesByName["Genre"]?.attributesByName["name"]?.isOptional = false
            let stack = try trial.open(model: model)
            try stack.run { context in
                context.make("Genre")
                let error = trial.expectError("a save without a required value") { try context.save() }
                trial.expectEqual(error?.code, NSValidationMissingMandatoryPropertyError, "the error's code")
            }
            trial.expectEqual(try stack.inNewContext { try $0.all("Genre").count }, 0, "what the store holds")
        },
    ]
}
