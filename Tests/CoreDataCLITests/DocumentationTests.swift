import CoreData
import Foundation
import Testing

@Suite("What the documentation shows is what is built")
struct DocumentationTests {
    @Test("the README's example is Examples/Quickstart, in at most thirty lines")
    func quickstart() throws {
        let readme = try PackageFiles.text("README.md")
        let example = try PackageFiles.text("Examples/Quickstart/main.swift")
        let marker = try #require(readme.range(of: "<!-- quickstart"))
        let start = try #require(readme.range(of: "```swift\n", range: marker.upperBound..<readme.endIndex))
        let end = try #require(readme.range(of: "```", range: start.upperBound..<readme.endIndex))
        #expect(readme[start.upperBound..<end.lowerBound] == example)
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
    }

    /// Headings and the site are looked at by `make links`.
    @Test("links between the documents lead to files")
    func links() throws {
        let pages = try FileManager.default.contentsOfDirectory(
            atPath: PackageFiles.root.appendingPathComponent("Documentation").path)
        let documents =
            ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
            + pages.filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" }
        for document in documents {
            let folder = PackageFiles.root.appendingPathComponent(document).deletingLastPathComponent()
            for match in try PackageFiles.text(document).matches(of: /\]\(([^):#]+)[^):]*\)/) {
                let target = folder.appendingPathComponent(String(match.output.1)).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: target), "\(document) links to \(match.output.1)")
            }
        }
    }

    @Test("every code that is declared has a page, or is said never to be thrown")
    func errorPages() throws {
        let declarations = try PackageFiles.text("Sources/CoreDataRows/Errors/ErrorCodes.swift")
        let index = try PackageFiles.text("Documentation/Errors.md")
        let never = try #require(index.components(separatedBy: "## Codes that Apple declares").last)
        let codes = declarations.matches(of: /public let (\w+) = (\d+)/)
        #expect(codes.count > 40)
        for code in codes where !never.contains(code.output.2) {
            let page = "Documentation/Error-\(code.output.2).md"
            let text = try? PackageFiles.text(page)
            #expect(text?.contains("`\(code.output.1)`") == true, "\(page) is of \(code.output.1)")
            #expect(index.contains("(Error-\(code.output.2).md)"), "\(code.output.2) is in the index")
        }
    }

    @Test("the error that the page on errors shows is the one that a save throws")
    func shownError() throws {
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        title.isOptional = false
        let book = NSEntityDescription()
        book.name = "Book"
        book.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [book]
        let container = NSPersistentContainer(name: "Shelf", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
        container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let context = container.newBackgroundContext()
        let error = context.performAndWait { () -> NSError? in
            _ = NSManagedObject(entity: book, insertInto: context)
            do {
                try context.save()
                return nil
            } catch { return error as NSError }
        }
        #expect(error?.code == 1570)
        #expect(error?.localizedDescription == "Book.title is required and has no value.")
        #expect(try PackageFiles.text("Documentation/Errors.md").contains("is required and has no value."))
    }

    @Test("the version of the tool is the last one of the changelog, and the one that the pages ask for")
    func version() throws {
        let tool = try CommandLineTool.run("--version").output.trimmingCharacters(in: .whitespacesAndNewlines)
        let changelog = try PackageFiles.text("CHANGELOG.md")
        #expect(changelog.firstMatch(of: /## (\d+\.\d+\.\d+)/).map { String($0.output.1) } == tool)
        for page in ["README.md", "Documentation/FirstApp.md"] {
            let text = try PackageFiles.text(page)
            #expect(
                text.firstMatch(of: /OpenCoreData", from: "([\d.]+)"/).map { String($0.output.1) } == tool, "\(page)")
        }
    }

    @Test("the man page has every command and every option of the help")
    func manPage() throws {
        let script = PackageFiles.root.appendingPathComponent("Scripts/man-page").path
        let page = try CommandLineTool.run(
            [script, CommandLineTool.path(of: "coredata")], executable: "/bin/sh"
        ).output.replacingOccurrences(of: "\\-", with: "-")
        for command in [
            ["info"], ["fetch"], ["migrate"], ["doctor"], ["model"], ["model", "diff"], ["momc"], ["generate"],
            ["port"],
            ["swift"],
        ] {
            #expect(page.contains(".SS \"coredata \(command.joined(separator: " "))\""))
            let help = try CommandLineTool.run(["help"] + command).output
            for option in help.matches(of: /--[a-z][a-z-]+/) {
                #expect(page.contains(option.output), "\(command) has \(option.output)")
            }
        }
        #expect(page.hasPrefix(".TH COREDATA 1"))
    }

    @Test("completions can be made for three shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let outcome = try CommandLineTool.run("--generate-completion-script", shell)
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("doctor"))
    }

    @Test("the container file of the page on servers is the one among the examples")
    func containerFile() throws {
        let file = try PackageFiles.text("Examples/Container/Containerfile")
        #expect(try PackageFiles.text("Documentation/Server.md").contains("```\n\(file)```"))
    }
}
