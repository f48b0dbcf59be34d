import Foundation
import ManagedObjectModel
import Testing

@Suite("Whole numbers beyond 2^63 are kept as they are")
struct LargeNumberTests {
    private static let numbers: [UInt64] = [.max, 1 << 63, UInt64(Int64.max)]

    @Test("By a compiled model, in defaults and user info", arguments: numbers)
    func compiled(number: UInt64) throws {
        let attribute = NSAttributeDescription()
        attribute.name = "value"
        attribute.attributeType = .transformableAttributeType
        attribute.defaultValue = NSNumber(value: number)
        attribute.userInfo = ["limit": NSNumber(value: number)]
        let entity = NSEntityDescription()
        entity.name = "Item"
        entity.properties = [attribute]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let copy = try ModelFile.read(data: model.archivedData()).entitiesByName["Item"]?.attributesByName["value"]
        #expect((copy?.defaultValue as? NSNumber)?.uint64Value == number)
        #expect((copy?.userInfo?["limit"] as? NSNumber)?.uint64Value == number)
    }

    @Test("By property lists of Foundation's, binary and XML", arguments: numbers)
    func propertyLists(number: UInt64) throws {
        let list = ["value": NSNumber(value: number), "least": NSNumber(value: Int64.min)]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            let read = try PropertyListNode.read(data).dictionary
            #expect((read?["value"]?.foundationValue as? any BinaryInteger).map { UInt64($0) } == number)
            #expect(read?["least"] == .integer(.min))
        }
    }

    @Test("A number of sixteen bytes that none of eight holds is refused")
    func tooLarge() throws {
        let node = PropertyListNode.dictionary(["value": .unsigned(.max)])
        var bytes = Array(BinaryPropertyListWriter.write(node))
        let place = try #require(bytes.firstIndex(of: 0x14))
        bytes[place + 8] = 1
        #expect(throws: ModelFileError.self) { try PropertyListNode.read(Data(bytes)) }
    }
}
