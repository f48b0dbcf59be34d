import CoreData
import Foundation

extension StoreRule {
    static let metadataRules: [StoreRule] = [
        StoreRule("A store says its type, its UUID and the version hashes of its model") { trial in
            let stack = try trial.open()
            try stack.run { context in
                context.make("Genre", ["name": "Fantasy"])
                try context.save()
            }
            let metadata = stack.coordinator.metadata(for: stack.store)
            trial.expectEqual(stack.store.type, trial.conformance.storeType, "type")
            trial.expectEqual(metadata[NSStoreTypeKey] as? String, trial.conformance.storeType, NSStoreTypeKey)
            trial.expectEqual(metadata[NSStoreUUIDKey] as? String, stack.store.identifier, NSStoreUUIDKey)
            trial.expect(!(stack.store.identifier ?? "").isEmpty, "the identifier should be a text")
            trial.expectEqual(
                metadata[NSStoreModelVersionHashesKey] as? [String: Data],
                stack.coordinator.managedObjectModel.entityVersionHashesByName, NSStoreModelVersionHashesKey)
        },
        StoreRule("Two new stores have two UUIDs") { trial in
            let (one, two) = (try trial.open(trial.storeURL("one")), try trial.open(trial.storeURL("two")))
            trial.expect(one.store.identifier != two.store.identifier, "the UUIDs should differ")
        },
        StoreRule("UUID and metadata of clients are there when the store is opened again", where: \.keepsContents) {
            trial in
            let stack = try trial.open()
            let identifier = stack.store.identifier
            var metadata = stack.coordinator.metadata(for: stack.store)
            metadata["Owner"] = "me"
            metadata["Number"] = 5
            stack.coordinator.setMetadata(metadata, for: stack.store)
            try stack.run { context in
                context.make("Genre", ["name": "Fantasy"])
                try context.save()
            }
            try stack.close()
            let again = try trial.open()
            trial.expectEqual(again.store.identifier, identifier, "the UUID")
            let read = again.coordinator.metadata(for: again.store)
            trial.expectEqual(read["Owner"] as? String, "me", "a text in the metadata")
            trial.expectEqual((read["Number"] as? NSNumber)?.intValue, 5, "a number in the metadata")
        },
        StoreRule("Metadata that was set is kept by a save that changes nothing else", where: \.keepsContents) {
            trial in
            let stack = try TrialLibrary.stack(in: trial)
            let identifier = stack.store.identifier
            var metadata = stack.coordinator.metadata(for: stack.store)
            metadata["Owner"] = "me"
            stack.coordinator.setMetadata(metadata, for: stack.store)
            try stack.run { try $0.save() }
            try stack.close()
            let again = try trial.open()
            trial.expectEqual(again.coordinator.metadata(for: again.store)["Owner"] as? String, "me", "the metadata")
            trial.expectEqual(again.store.identifier, identifier, "the UUID")
            trial.expectEqual(try again.run { try $0.all("Item").count }, 8, "items")
        },
        StoreRule(
            "Metadata can be read and written without a stack",
            where: { $0.keepsContents && $0.hasMetadataWithoutStack }
        ) { trial in
            let stack = try TrialLibrary.stack(in: trial)
            let lines = try stack.run { try TrialLibrary.lines($0) }
            let (url, type) = (try trial.storeURL(), trial.conformance.storeType)
            let identifier = stack.store.identifier
            try stack.close()
            var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
            trial.expectEqual(metadata[NSStoreUUIDKey] as? String, identifier, "the UUID without a stack")
            trial.expectEqual(metadata[NSStoreTypeKey] as? String, type, "the type without a stack")
            trial.expect(
                TrialModel.make().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata),
                "the model should be compatible with the metadata")
            metadata["Owner"] = "me"
            try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: type, at: url)
            let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
            trial.expectEqual(read["Owner"] as? String, "me", "what was set without a stack")
            let again = try trial.open()
            trial.expectEqual(again.store.identifier, identifier, "the UUID after that")
            trial.expectEqual(
                again.coordinator.metadata(for: again.store)["Owner"] as? String, "me", "what the stack then reads")
            trial.expectEqual(try again.run { try TrialLibrary.lines($0) }, lines, "the contents after that")
        },
        StoreRule(
            "A model that the store wasn't made for is refused (134100), and nothing changes", where: \.keepsContents
        ) { trial in
            let stack = try TrialLibrary.stack(in: trial)
            let lines = try stack.run { try TrialLibrary.lines($0) }
            try stack.close()
            let error = trial.expectError("opening with another model") {
                _ = try trial.open(model: TrialModel.makeOther())
            }
            trial.expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError, "the error's code")
            trial.expectEqual(try trial.open().run { try TrialLibrary.lines($0) }, lines, "the contents after that")
        },
    ]
}
