import ArgumentParser
import CoreData

struct ModelDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Print what changed between two models, and whether lightweight migration can follow.",
        discussion: """
            A line for each change: + for what was added, - for what was removed, > for what was renamed and ~ for \
            what was changed otherwise. The last lines say what becomes of a store of the old model. To compare \
            versions of one bundle, give the versions' own files in it.
            """)

    @Argument(help: "The old model: a model file, or a store that carries its model.", completion: .file())
    var old: String

    @Argument(help: "The new model, likewise.", completion: .file())
    var new: String

    func run() throws {
        let difference = ModelDifference(from: try ModelSource.read(old), to: try ModelSource.read(new))
        for change in difference.changes {
            try StandardOutput.shared.writeLine("\(Self.sign(of: change.kind)) \(Self.words(for: change))")
        }
        if !difference.changes.isEmpty { try StandardOutput.shared.writeLine() }
        for line in Self.verdict(on: difference) { try StandardOutput.shared.writeLine(line) }
    }

    private static func sign(of kind: ModelChange.Kind) -> String {
        switch kind {
        case .added: "+"
        case .removed: "-"
        case .renamed: ">"
        case .changed: "~"
        }
    }

    private static func words(for change: ModelChange) -> String {
        "\(location(of: change)): \(change.message)"
    }

    private static func location(of change: ModelChange) -> String {
        [change.entity, change.property].compactMap { $0 }.joined(separator: ".")
    }

    private static func verdict(on difference: ModelDifference) -> [String] {
        guard difference.allowsLightweightMigration else {
            return ["A store of the old model needs a mapping model; lightweight migration can't follow:"]
                + difference.obstacles.map { "  \(location(of: $0)): \($0.message), and \($0.obstacle ?? "")" }
        }
        if difference.changes.isEmpty { return ["The models are the same."] }
        if difference.isCompatible { return ["A store of the old model opens with the new one as it is."] }
        return ["A store of the old model can follow by lightweight migration."]
    }
}
