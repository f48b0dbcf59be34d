import CoreData
import Foundation

extension StoreRule {
    static let saveAsRules: [StoreRule] =
        [NSInMemoryStoreType, NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType].flatMap { other in
            [
                StoreRule("Save As from a store of the type \(other) keeps everything") { trial in
                    let source = try TrialStack(
                        trial.folder.appendingPathComponent("other"), type: other, model: TrialModel.make())
                    try expectSaveAs(trial, source, type: trial.conformance.storeType, at: trial.storeURL())
                },
                StoreRule("Save As to a store of the type \(other) keeps everything") { trial in
                    try expectSaveAs(trial, trial.open(), type: other, at: trial.folder.appendingPathComponent("other"))
                },
            ]
        } + [
            StoreRule("Save As to the store's own type keeps everything, and objects go on in the new store") { trial in
                let stack = try TrialLibrary.stack(in: trial)
                let old = stack.store
                try stack.run { context in
                    let tehanu = try context.object("Book", "Tehanu")
                    tehanu.setValue(7, forKey: "pages")
                    let genre = context.make("Genre", ["name": "Poetry"])
                    let author = try trial.require(tehanu.value(forKey: "author") as? NSManagedObject, "author")
                    let new = try stack.coordinator.migratePersistentStore(
                        old, to: trial.storeURL("second"), options: trial.options(of: trial.conformance.storeType),
                        withType: trial.conformance.storeType)
                    trial.expect(
                        stack.coordinator.persistentStores.first === new, "the new store should be the one in use")
                    trial.expect(
                        tehanu.objectID.persistentStore === new, "a registered object should be in the new store")
                    trial.expectEqual(SampleValue.text(tehanu.value(forKey: "pages")), "7", "an unsaved value")
                    trial.expectEqual(
                        tehanu.value(forKey: "author") as? NSManagedObject, author, "a realised relationship")
                    trial.expectEqual(author.name, "Ursula", "the name of an object that was registered")
                    tehanu.setValue(Set([genre]), forKey: "genres")
                    try context.save()
                }
                try trial.reopened(stack) { context in
                    let tehanu = try context.object("Book", "Tehanu")
                    trial.expectEqual(SampleValue.text(tehanu.value(forKey: "pages")), "7", "pages in the new store")
                    trial.expectEqual(tehanu.names("genres"), ["Poetry"], "genres in the new store")
                }
                if trial.conformance.keepsContents {
                    let pages = try trial.open().run { try $0.object("Book", "Tehanu").value(forKey: "pages") }
                    trial.expectEqual(SampleValue.text(pages), "281", "pages in the old store")
                }
            }
        ]

    private static func expectSaveAs(_ trial: StoreTrial, _ stack: TrialStack, type: String, at url: URL) throws {
        try stack.inNewContext { context in
            try TrialLibrary.fill(context)
            try SampleValue.make(3, in: context)
        }
        var metadata = stack.coordinator.metadata(for: stack.store)
        metadata["Owner"] = "me"
        stack.coordinator.setMetadata(metadata, for: stack.store)
        let lines = try stack.inNewContext { try TrialLibrary.lines($0) }
        let old = stack.store
        let new = try stack.coordinator.migratePersistentStore(
            old, to: url, options: trial.options(of: type), withType: type)
        trial.expectEqual(new.type, type, "the type of the new store")
        trial.expect(new.identifier != old.identifier, "the new store should have a UUID of its own")
        trial.expectEqual(stack.coordinator.persistentStores, [new], "the coordinator's stores")
        trial.expectEqual(new.metadata["Owner"] as? String, "me", "what the client added to the metadata")
        try stack.inNewContext { context in
            trial.expectSame(try TrialLibrary.lines(context), lines, "the contents after Save As")
        }
        let ids = try stack.inNewContext { try $0.all("Item").map { $0.objectID.uriRepresentation() } }
        guard type != NSInMemoryStoreType, trial.conformance.keepsContents || type != trial.conformance.storeType else {
            return
        }
        try stack.close()
        let again = try trial.open(url, type: type)
        try again.run { context in
            trial.expectSame(try TrialLibrary.lines(context), lines, "the contents when the new store is opened again")
            let found = try context.all("Item").map { $0.objectID.uriRepresentation() }
            trial.expectEqual(Set(found), Set(ids), "the IDs when the new store is opened again")
        }
    }
}
