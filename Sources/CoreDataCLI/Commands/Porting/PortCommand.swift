import ArgumentParser
import Foundation
import Porting

struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port", abstract: "Rewrite a package so that it builds on Linux and on Apple's platforms.",
        discussion: """
            Puts @objc and its like under #if canImport(ObjectiveC), writes #keyPath(A.b) as a string, adds import \
            CoreData where it is missing, and adds the dependency and the plugin to Package.swift. Prints what it \
            changes as a diff, then, with file and line, what needs a hand, and how much that is. What is ported already \
            stays as it is.
            """)

    @Argument(help: "The folder of the package.", completion: .directory)
    var folder: String

    @Flag(help: "Only print what would change.")
    var dryRun = false

    @OptionGroup var source: PackageSourceArguments

    func run() throws {
        let package = try PackageFolder(URL(fileURLWithPath: folder, isDirectory: true))
        let port = try PackagePort(package, reference: try source.reference(), style: .portable)
        try StandardOutput.shared.write(port.diff)
        if !dryRun { try port.write() }
        try StandardOutput.shared.flush()
        if !port.remarks.isEmpty {
            StandardError.writeLine("\nTo do by hand:")
            for remark in port.remarks { StandardError.writeLine(remark.description) }
        }
        StandardError.writeLine("\n\(Self.summary(of: port, isDone: !dryRun))")
    }

    /// One line on what was done and what is left to do.
    private static func summary(of port: PackagePort, isDone: Bool) -> String {
        let count = { (number: Int, noun: String) in "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let changed = count(port.changes.count, "file") + (isDone ? " changed" : " to change")
        return
            "\(changed), \(port.leftOutCount) left out on Linux, \(count(port.lineCountByHand, "line")) to look at by hand."
    }
}
