import ArgumentParser
import CoreData

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring a store to another model.",
        discussion: """
            Prints what will change and how many rows each entity has, tries the migration on a copy and checks the result \
            there, and then does the same with the store. A failure at any point leaves the store as it was. Without --mapping the mapping is worked out from \
            the two models (lightweight migration).
            """)

    @OptionGroup var storeArguments: StoreArguments

    @Option(
        help: ArgumentHelp(
            "The model to bring the store to: an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that carries it.",
            valueName: "model"), completion: .file())
    var to: String

    @Option(
        help: ArgumentHelp("A mapping model: a .cdm or an .xcmappingmodel.", valueName: "file"), completion: .file())
    var mapping: String?

    @Flag(help: "Say what would change, and try it on a copy; leave the store as it is.")
    var dryRun = false

    @Flag(help: "Show progress on standard error even where that is no terminal.")
    var progress = false

    func run() throws {
        let job = try MigrationJob(
            storePath: storeArguments.store, modelPath: storeArguments.model, destinationPath: to, mappingPath: mapping)
        for line in try job.plan() { try StandardOutput.shared.writeLine(line) }
        try StandardOutput.shared.flush()
        guard !job.isNothingToDo else { return }
        let bar = ProgressBar(isForced: progress)
        defer { bar.end() }
        try job.run(isTrial: dryRun) { bar.show($0) }
        bar.end()
        try StandardOutput.shared.writeLine(
            dryRun ? "The migration of a copy succeeded; the store is as it was." : "Migrated and checked.")
    }
}
