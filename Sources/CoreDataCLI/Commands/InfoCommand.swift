import ArgumentParser
import CoreData

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Print what a store is and what is in it.",
        discussion: "Needs no model. Rows are those of just the entity, without the ones of its subentities.")

    @OptionGroup var storeArguments: StoreArguments

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let report = try StoreReport(storePath: storeArguments.store, modelPath: storeArguments.model)
        try StandardOutput.shared.writeLine(json ? report.json.text(indented: true) : report.text)
    }
}
