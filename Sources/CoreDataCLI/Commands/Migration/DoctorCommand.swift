import ArgumentParser
import CoreData

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what is wrong in a store, and mend it.",
        discussion: """
            Looks at: SQLite's integrity, key counters, references to missing objects, both ends of one-to-one \
            relationships, files of external values, version hashes down to the property, and missing indexes and \
            triggers. The exit code is 1 where something is wrong.

            --repair mends what can be mended without losing a value, marked with a star, after a copy of the store was \
            made beside it. Files that no row names are moved beside that copy.
            """)

    @OptionGroup var storeArguments: StoreArguments

    @Flag(help: "Mend what can be mended without loss.")
    var repair = false

    func run() throws {
        let path = StoreFile.name(storeArguments.store)
        let url = try StoreFile.url(storeArguments.store)
        let model = try StoreFile.model(at: storeArguments.model, forStoreAt: url)
        let found = try StoreFile.naming(path) {
            try NSPersistentStoreCoordinator.examineStore(at: url, ofType: StoreFile.type(of: url), model: model)
        }
        guard !found.isEmpty else {
            try StandardOutput.shared.writeLine("\(path): nothing is wrong.")
            return
        }
        for finding in found {
            try StandardOutput.shared.writeLine("\(finding.isRepairable ? "*" : " ") \(finding)")
        }
        var left = found.count
        if repair, found.contains(where: \.isRepairable) {
            let result = try StoreFile.naming(path) {
                try NSPersistentStoreCoordinator.repairStore(
                    at: url, ofType: StoreFile.type(of: url), model: model)
            }
            left = result.left.count
            try StandardOutput.shared.writeLine()
            try StandardOutput.shared.writeLine(
                "Mended \(found.count - left) of \(found.count); the store as it was: \(result.backup.path)")
        }
        if left > 0 {
            throw CommandFailure(path, "\(left) thing(s) wrong.")
        }
    }
}
