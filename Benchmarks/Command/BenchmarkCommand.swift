import ArgumentParser

@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata-bench",
        abstract: "Compares this package with SQLite's C interface and with GRDB, doing the same work.",
        subcommands: [
            CompareCommand.self, GrowthCommand.self, MeasureCommand.self, CheckCommand.self, VersionsCommand.self,
        ],
        defaultSubcommand: CompareCommand.self)
}
