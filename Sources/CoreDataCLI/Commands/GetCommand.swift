import ArgumentParser

struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Print one object.")

    @OptionGroup var storeArguments: StoreArguments

    @Argument(help: "The object's URI, as fetch prints it.")
    var uri: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let store = try storeArguments.openForReading()
        let record = try store.perform { _ in ObjectRecord(try store.object(withURI: uri)) }
        try StandardOutput.shared.writeLine(json ? record.json.text(indented: true) : record.text)
    }
}
