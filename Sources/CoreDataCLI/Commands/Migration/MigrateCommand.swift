import ArgumentParser
import CoreData
import Foundation

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

/// A line on standard error that says how far the work has come, where that is a terminal.
final class ProgressBar {
    private let isShown: Bool
    private var lastPercent = -1
    private static let width = 30

    init(isForced: Bool) { isShown = isForced || isatty(STDERR_FILENO) != 0 }

    func show(_ fraction: Double) {
        let percent = Int(max(0, min(1, fraction)) * 100)
        guard isShown, percent != lastPercent else { return }
        lastPercent = percent
        let filled = percent * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        FileHandle.standardError.write(Data("\r[\(bar)] \(percent) %".utf8))
    }

    /// Leaves the line; once is enough.
    func end() {
        guard isShown, lastPercent >= 0 else { return }
        lastPercent = -1
        FileHandle.standardError.write(Data("\n".utf8))
    }
}
