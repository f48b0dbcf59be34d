import Foundation
import ModelCompiler
import Testing

@Suite("Compiled models whose source is gone")
struct StaleResourceTests {
    @Test(
        "are removed from the plugin's folder and from the target's bundle in every configuration, and nothing else is")
    func removal() throws {
        try SwiftTool.inTemporaryFolder { folder in
            let outputs = folder.appendingPathComponent("plugins/outputs/zoo/Zoo/destination/CoreDataModelPlugin")
            let bundles = ["debug", "release"].map {
                folder.appendingPathComponent("x86_64-linux/\($0)/Zoo_Zoo.resources")
            }
            let other = folder.appendingPathComponent("x86_64-linux/debug/Zoo_Other.resources")
            for place in [outputs, other] + bundles {
                for model in ["Old.momd", "New.momd"] {
                    let version = place.appendingPathComponent(model)
                    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
                    try Data().write(to: version.appendingPathComponent("1.mom"))
                }
                try Data().write(to: place.appendingPathComponent("Old.cdm"))
                try Data().write(to: place.appendingPathComponent("Old.json"))
            }
            try Data().write(to: outputs.appendingPathComponent("Zoo+ManagedBodies.swift"))
            // A model that this plugin didn't make.
            try Data().write(to: bundles[0].appendingPathComponent("Foreign.mom"))

            try StaleResources(outputs: outputs, current: ["New.momd"])
                .remove(fromBundlesNamed: "Zoo_Zoo.resources", in: folder)
            let contents = { (place: URL) in try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() }
            #expect(try contents(outputs) == ["New.momd", "Old.json", "Zoo+ManagedBodies.swift"])
            #expect(try contents(bundles[0]) == ["Foreign.mom", "New.momd", "Old.json"])
            #expect(try contents(bundles[1]) == ["New.momd", "Old.json"])
            #expect(try contents(other) == ["New.momd", "Old.cdm", "Old.json", "Old.momd"])
        }
    }
}
