import ArgumentParser
import CoreData

struct ModelHashesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hashes", abstract: "Print the version hash of each entity, and the model's checksum.",
        discussion: "A line for each entity, sorted by name: name, tab, hash in base64. The last line is the checksum.")

    @OptionGroup var modelArguments: ModelArguments

    func run() throws {
        let model = try modelArguments.read()
        let hashes = model.entityVersionHashesByName.sorted { $0.key < $1.key }
        for (name, hash) in hashes {
            try StandardOutput.shared.writeLine("\(name)\t\(hash.base64EncodedString())")
        }
        try StandardOutput.shared.writeLine("checksum\t\(model.versionChecksum)")
    }
}
