import CoreData
import Foundation
import Testing

@Suite(
    "Apple's XML and binary stores, damaged: an error that names the file, never the end of the program",
    .enabled(if: AtomicStoreFixtures.isPresent))
struct DamagedFixtureTests {
    private static let xmlPaths =
        AtomicStoreFixtures.paths("xmlstore", ["xml", "paw"]) + AtomicStoreFixtures.paths("xcmappingmodel", ["xml"])
    private static let binaryPaths = AtomicStoreFixtures.paths("binarystore", ["paw"])

    @Test("XML: with the line", arguments: xmlPaths)
    func xml(path: String) throws {
        let model =
            try path.contains("/xcmappingmodel/")
            ? AtomicStoreFixtures.mappingModel() : PlainXMLStore(AtomicStoreFixtures.url(path)).model()
        for message in try errors(path, type: NSXMLStoreType, model: model) {
            #expect(message.contains("line "), "\(message)")
        }
    }

    @Test("Binary", arguments: binaryPaths)
    func binary(path: String) throws {
        let model = try PlainBinaryStore(AtomicStoreFixtures.url(path)).model()
        _ = try errors(path, type: NSBinaryStoreType, model: model)
    }

    /// Damages copies here and there, and reads all that can be read of them.
    private func errors(_ path: String, type: String, model: NSManagedObjectModel) throws -> [String] {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("damaged")
        let sound = try Data(contentsOf: AtomicStoreFixtures.url(path))
        let seed = UInt64(sound.count)
        var random = SeededGenerator(seed: seed)
        var messages: [String] = []
        for round in 0..<max(4, min(30, 3_000_000 / sound.count)) {
            var data = sound
            if round.isMultiple(of: 5) {
                data = data.prefix(Int.random(in: 1..<data.count * 9 / 10, using: &random))
            } else {
                for _ in 0..<3 {
                    data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
                }
            }
            try data.write(to: url)
            do {
                let stack = try AtomicStack(
                    url, type: type, model: model, options: [NSIgnorePersistentStoreVersioningOption: true])
                for entity in model.entities where entity.superentity == nil {
                    for object in try stack.context.all(entity.name ?? "") {
                        for name in object.entity.propertiesByName.keys { _ = object.value(forKey: name) }
                    }
                }
                #expect(!round.isMultiple(of: 5), "seed \(seed), round \(round): a file that was cut off was read")
            } catch {
                #expect(error.localizedDescription.contains(url.path), "\(error.localizedDescription)")
                messages.append(error.localizedDescription)
            }
            #expect(try Data(contentsOf: url) == data)
        }
        return messages
    }
}
