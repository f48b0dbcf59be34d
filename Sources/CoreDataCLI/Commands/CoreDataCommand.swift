import ArgumentParser

/// The `coredata` tool.
struct CoreDataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata",
        abstract: "Looks into Core Data stores, and changes them.",
        discussion: """
            A store that carries its own model (every SQLite store since iOS 9 and OS X 10.11) needs nothing else; \
            for others, and to read a store through another model, give --model.

            info, fetch, count and get open the store read-only and leave every byte of it as it was.

            Exit codes: 0 success, 1 failure, 2 wrong usage.
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Reading", subcommands: [InfoCommand.self, FetchCommand.self, CountCommand.self, GetCommand.self]),
            CommandGroup(name: "Changing", subcommands: [SetCommand.self, InsertCommand.self, DeleteCommand.self]),
            CommandGroup(name: "Migrating and mending", subcommands: [MigrateCommand.self, DoctorCommand.self]),
            CommandGroup(name: "Model", subcommands: [ModelCommand.self, MomcCommand.self, GenerateCommand.self]),
            CommandGroup(name: "Porting", subcommands: [PortCommand.self, SwiftCommand.self]),
        ])
}
