import CoreData
import Foundation

extension StoreRule {
    static let lifeCycleRules: [StoreRule] = [
        StoreRule("A store is one of its coordinator's until it is removed, and can be added again") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            trial.expect(
                stack.coordinator.persistentStores.first === stack.store, "the coordinator should list the store")
            trial.expect(stack.store.persistentStoreCoordinator === stack.coordinator, "the store should know it")
            trial.expectEqual(
                stack.coordinator.persistentStore(for: try trial.storeURL()), stack.store, "the store by URL")
            let lines = try stack.run { try TrialLibrary.lines($0) }
            trial.expectEqual(lines.count, 19, "objects in the library")
            try stack.close()
            trial.expect(stack.coordinator.persistentStores.isEmpty, "the coordinator should list no store")
            let again = try trial.open()
            let expected = trial.conformance.keepsContents ? lines : []
            trial.expectEqual(
                try again.run { try TrialLibrary.lines($0) }, expected, "the contents when it is added again")
        },
        StoreRule("Saving again and again adds up", where: \.keepsContents) { trial in
            for round in 0..<4 {
                let stack = try trial.open()
                try stack.run { context in
                    context.make("Genre", ["name": "\(round)"])
                    try context.save()
                    context.make("Genre", ["name": "\(round)b"])
                    if round > 0 { context.delete(try context.object("Genre", "\(round - 1)b")) }
                    try context.save()
                }
                try stack.close()
            }
            let names = try trial.open().run { try $0.all("Genre", sort: "name").map(\.name) }
            trial.expectEqual(names, ["0", "1", "2", "3", "3b"], "the names after four rounds")
        },
        StoreRule("A store without a URL works, and leaves no file", where: \.worksWithoutURL) { trial in
            let stack = try TrialStack(nil, type: trial.conformance.storeType, model: TrialModel.make())
            try stack.inNewContext { try TrialLibrary.fill($0) }
            trial.expectEqual(try stack.run { try $0.all("Item").count }, 8, "items in a store without a URL")
            let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
            trial.expectEqual(
                attributes[.type] as? FileAttributeType, .typeCharacterSpecial, "the null device should be one still")
        },
        StoreRule(
            "A file of zero length is a reservation: a new store is made there", where: { $0.takesReservations }
        ) { trial in
            let url = try trial.storeURL()
            try Data().write(to: url)
            let stack = try trial.open()
            try stack.inNewContext { try TrialLibrary.fill($0) }
            let lines = try stack.run { try TrialLibrary.lines($0) }
            try trial.reopened(stack) { context in
                trial.expectEqual(try TrialLibrary.lines(context), lines, "the contents of what was a reservation")
            }
        },
        StoreRule(
            "A store that leaves before it was saved leaves no reservation behind",
            where: { $0.takesReservations && $0.keepsContents && !$0.makesFilesAtOnce }
        ) { trial in
            let url = try trial.storeURL()
            let stack = try trial.open()
            try stack.close()
            trial.expect(!FileManager.default.fileExists(atPath: url.path), "there should be no file after the removal")
            do { _ = try trial.open() }
            trial.expect(!FileManager.default.fileExists(atPath: url.path), "nor when the coordinator goes")
            try Data().write(to: url)
            try trial.open().close()
            trial.expect(
                !FileManager.default.fileExists(atPath: url.path), "a file that somebody else reserved should go too")
            let saved = try TrialLibrary.stack(in: trial)
            try saved.close()
            trial.expect(FileManager.default.fileExists(atPath: url.path), "a store that was saved should stay")
        },
        StoreRule("A read-only store is read, and refuses to be saved", where: \.keepsContents) { trial in
            let stack = try TrialLibrary.stack(in: trial)
            let lines = try stack.run { try TrialLibrary.lines($0) }
            try stack.close()
            let readOnly = try trial.open(options: [NSReadOnlyPersistentStoreOption: true])
            trial.expect(readOnly.store.isReadOnly, "isReadOnly should be true")
            try readOnly.run { context in
                trial.expectEqual(try TrialLibrary.lines(context), lines, "the contents of a read-only store")
                try context.object("Book", "Tehanu").setValue(1, forKey: "pages")
                trial.expectError("a change saved to a read-only store") { try context.save() }
                context.rollback()
                context.make("Genre", ["name": "New"])
                trial.expectError("a new object saved to a read-only store") { try context.save() }
            }
            try readOnly.close()
            trial.expectEqual(try trial.open().run { try TrialLibrary.lines($0) }, lines, "the contents after that")
        },
    ]
}
