import CoreData
import Foundation
import Testing

@Suite("Values in files of their own, in a lightweight migration")
struct ExternalStorageMigrationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Pictures.sqlite") }
    private static let sizes = [10, 90_000, 300_000]

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter isExternal: nil for a model without the attribute.
    private static func model(isExternal: Bool?, entity name: String = "Picture") -> NSManagedObjectModel {
        let picture = NSEntityDescription()
        picture.name = name
        picture.renamingIdentifier = "Picture"
        picture.properties = [MigrationLibrary.attribute("number", .integer64AttributeType)]
        if let isExternal {
            let data = MigrationLibrary.attribute("data", .binaryDataAttributeType)
            data.allowsExternalBinaryDataStorage = isExternal
            picture.properties += [data]
        }
        let model = NSManagedObjectModel()
        model.entities = [picture]
        return model
    }

    private func files() -> [String] {
        let path = folder.url.appendingPathComponent(".Pictures_SUPPORT/_EXTERNAL_DATA").path
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private func makeStore(_ model: NSManagedObjectModel) throws {
        let stack = try StoreStack(url, model: model)
        for (number, size) in Self.sizes.enumerated() {
            stack.context.make("Picture", ["number": number, "data": Data(repeating: UInt8(number + 1), count: size)])
        }
        stack.context.make("Picture", ["number": Self.sizes.count])
        try stack.context.save()
        try stack.close()
    }

    private func expectValues(_ model: NSManagedObjectModel, _ entity: String = "Picture") throws {
        let stack = try StoreStack(url, model: model)
        let data = try stack.context.all(entity, sort: "number").map { $0.value(forKey: "data") as? Data }
        #expect(
            data == Self.sizes.enumerated().map { Data(repeating: UInt8($0 + 1), count: $1) } + [nil])
        try stack.close()
    }

    @Test("stay what they were when external storage is switched on or off, and later saves go by the new rule")
    func switched() throws {
        let (inside, outside) = (Self.model(isExternal: false), Self.model(isExternal: true))
        try makeStore(inside)
        #expect(files().isEmpty)
        try expectValues(outside)
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(outside, historyTracking: false))
        var stack = try StoreStack(url, model: outside)
        let pictures = try stack.context.all("Picture")
        let values = pictures.map { $0.value(forKey: "data") }
        for picture in pictures { picture.setValue(Data(), forKey: "data") }
        try stack.context.save()
        for (picture, value) in zip(pictures, values) { picture.setValue(value, forKey: "data") }
        try stack.context.save()
        try stack.close()
        #expect(files().count == 1)
        try expectValues(outside)
        try expectValues(inside)
        // A file that no row names any more goes when the store is opened next.
        try expectValues(inside)
        #expect(files().isEmpty)
        stack = try StoreStack(url, model: inside)
        stack.context.make("Picture", ["number": 9, "data": Data(count: 400_000)])
        try stack.context.save()
        try stack.close()
        #expect(files().isEmpty)
    }

    @Test("go along with an entity that is renamed, and go with an attribute that is removed")
    func renamedAndRemoved() throws {
        try makeStore(Self.model(isExternal: true))
        let names = files()
        #expect(names.count == 1)
        let renamed = Self.model(isExternal: true, entity: "Photo")
        try expectValues(renamed, "Photo")
        #expect(files() == names)
        let bare = Self.model(isExternal: nil, entity: "Photo")
        for _ in 0..<2 {
            let stack = try StoreStack(url, model: bare)
            #expect(try stack.context.all("Photo").count == Self.sizes.count + 1)
            try stack.close()
        }
        #expect(files().isEmpty)
    }
}
