import Foundation
import Testing

@Suite("coredata momc")
struct MomcCommandTests {
    private let folder: URL
    private let source = PackageFiles.root.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("momc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test("takes the arguments of Xcode's, and writes what coredata model compile writes")
    func arguments() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let expected = folder.appendingPathComponent("Expected.momd").path
        #expect(try CommandLineTool.run("model", "compile", source, "-o", expected).exitCode == 0)
        let options = [
            "--sdkroot", "/sdk", "--iphoneos-deployment-target", "17.0", "--module", "Library", "--no-warnings",
            "--no-inverse-relationship-warnings", "--XD_MOMC_TARGET_VERSION=10.6",
        ]
        for output in [folder.appendingPathComponent("Library.momd").path, folder.path + "/"] {
            let outcome = try CommandLineTool.run(["momc"] + options + [source, output])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let written = folder.appendingPathComponent("Library.momd").path
            let hashes = try CommandLineTool.run("model", "hashes", written)
            #expect(try hashes.output == CommandLineTool.run("model", "hashes", expected).output)
            try FileManager.default.removeItem(atPath: written)
        }
    }

    @Test("says what is wrong, and fails")
    func failures() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = try CommandLineTool.run("momc", "/nowhere/M.xcdatamodeld", folder.path)
        #expect(missing.exitCode == 1 && missing.errors.contains("/nowhere/M.xcdatamodeld"))
        #expect(try CommandLineTool.run("momc", source).exitCode == 2)
    }
}
