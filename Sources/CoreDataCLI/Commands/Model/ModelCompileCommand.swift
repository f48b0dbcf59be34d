import ArgumentParser
import CoreData

struct ModelCompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile", abstract: "Write a model with all its versions as the .momd that apps are built with.",
        discussion: """
            Checks every version as Xcode does. Errors, and warnings about the current version, go to standard error with \
            the entity and property that they are about; where there are errors nothing is written.
            """)

    @Argument(help: "An .xcdatamodeld or .xcdatamodel.", completion: .file())
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The .momd to write; one that is there is replaced.", valueName: "momd"))
    var output: String

    func run() throws {
        let url = URL(fileURLWithPath: output)
        guard url.pathExtension == "momd" else {
            throw ValidationError("\(output): the output has to be called something.momd.")
        }
        let versions = try ModelFile.readVersions(URL(fileURLWithPath: file))
        let errors = report(versions)
        guard errors == 0 else {
            throw CommandFailure(file, errors == 1 ? "there is an error in it." : "there are \(errors) errors in it.")
        }
        try versions.writeCompiled(to: url)
    }

    /// Prints what is the matter with each version, and returns the number of errors.
    private func report(_ versions: ModelVersions) -> Int {
        var errors = 0
        for (name, issues) in ModelChecks.issues(in: versions).sorted(by: { $0.key < $1.key }) {
            let place = versions.models.count == 1 ? file : "\(file), \(name)"
            for issue in issues {
                StandardError.writeLine("\(place): \(issue)")
                if issue.severity == .error { errors += 1 }
            }
        }
        return errors
    }
}
