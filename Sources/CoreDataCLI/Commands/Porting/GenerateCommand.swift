import ArgumentParser
import Foundation
import ModelCompiler

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Write the Swift classes of a model's entities, as Xcode's menu does.",
        discussion: """
            For each entity two files: X+CoreDataClass.swift, which is yours to edit and is left alone when it is there, \
            and X+CoreDataProperties.swift, which is written anew. They compile on both platforms.

            Set the code generation of these entities to "Manual/None" in the model, or the build makes their classes a \
            second time.
            """)

    @Argument(help: "An .xcdatamodeld or .xcdatamodel.", completion: .file())
    var model: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The folder to write to; made where it isn't there.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(
        name: .long, parsing: .upToNextOption,
        help: ArgumentHelp("Only the classes of these entities.", valueName: "entity"))
    var entity: [String] = []

    func run() throws {
        let classes = try GeneratedModelClasses(model: URL(fileURLWithPath: model))
        for name in entity where !classes.entityNames.contains(name) {
            throw CommandFailure(
                model,
                "there is no entity \"\(name)\" with a class." + UnknownName.hint(for: name, among: classes.entityNames)
            )
        }
        let wanted = entity.isEmpty ? nil : Set(entity)
        for name in classes.entitiesGeneratedByBuilds where wanted?.contains(name) ?? true {
            StandardError.writeLine(
                "\(model): entity \(name): the build generates this class too; set its code generation to Manual/None")
        }
        let folder = URL(fileURLWithPath: output, isDirectory: true)
        for (name, text) in try classes.files(includesManual: true, entities: wanted).sorted(by: { $0.key < $1.key }) {
            let file = folder.appendingPathComponent(name)
            let isThere = FileManager.default.fileExists(atPath: file.path)
            if isThere, name.hasSuffix("+CoreDataClass.swift") {
                try StandardOutput.shared.writeLine("kept     \(name)")
            } else {
                try OutputFile.write(text, to: file)
                try StandardOutput.shared.writeLine("written  \(name)")
            }
        }
    }
}
