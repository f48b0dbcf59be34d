import CoreData
import Foundation
import Testing

/// Encodes decimal numbers in every way that a coder has.
final class Till: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let total: NSDecimalNumber
    let change: Decimal
    let coins: [NSDecimalNumber]
    let byName: [String: NSDecimalNumber]
    let unkeyed: NSDecimalNumber

    init(_ total: NSDecimalNumber) {
        self.total = total
        change = total.decimalValue / 8
        coins = [total, 2, NSDecimalNumber(string: "0.05")]
        byName = ["a": total]
        unkeyed = NSDecimalNumber(string: "7.25")
    }

    required init?(coder: NSCoder) {
        guard let total = coder.decodeObject(of: NSDecimalNumber.self, forKey: "total"),
            let change = coder.decodeObject(of: NSDecimalNumber.self, forKey: "change"),
            let coins = coder.decodeObject(of: [NSArray.self, NSDecimalNumber.self], forKey: "coins")
                as? [NSDecimalNumber],
            let byName = coder.decodeObject(
                of: [NSDictionary.self, NSString.self, NSDecimalNumber.self], forKey: "byName")
                as? [String: NSDecimalNumber],
            let unkeyed = coder.decodeObject(of: NSDecimalNumber.self, forKey: "more")
        else { return nil }
        (self.total, self.change, self.coins, self.byName) = (total, change.decimalValue, coins, byName)
        self.unkeyed = unkeyed
    }

    func encode(with coder: NSCoder) {
        coder.encode(total, forKey: "total")
        coder.encode(change, forKey: "change")
        coder.encode(coins, forKey: "coins")
        coder.encode(byName as NSDictionary, forKey: "byName")
        coder.encode(unkeyed, forKey: "more")
        coder.encodeConditionalObject(total, forKey: "again")
    }
}

/// An object of the program's own that leads to others.
final class Cashier: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String
    let tills: [Till]
    private(set) var colleagues: [Cashier] = []

    init(_ name: String, _ tills: [Till]) {
        self.name = name
        self.tills = tills
    }

    func meet(_ other: Cashier) { colleagues.append(other) }

    required init?(coder: NSCoder) {
        name = coder.decodeObject(of: NSString.self, forKey: "name") as? String ?? ""
        tills = coder.decodeObject(of: [NSArray.self, Till.self], forKey: "tills") as? [Till] ?? []
        super.init()
        colleagues = coder.decodeObject(of: [NSArray.self, Cashier.self], forKey: "colleagues") as? [Cashier] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(tills, forKey: "tills")
        coder.encode(colleagues, forKey: "colleagues")
    }
}

final class CashierTransformer: NSSecureUnarchiveFromDataTransformer {
    override static var allowedTopLevelClasses: [AnyClass] {
        super.allowedTopLevelClasses + [Cashier.self, Till.self, NSDecimalNumber.self]
    }
}

@Suite("Objects of the program's own in transformable values")
struct ArchivedOwnObjectTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]
    private static let transformer = "CashierTransformer"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        ValueTransformer.setValueTransformer(CashierTransformer(), forName: NSValueTransformerName(Self.transformer))
    }

    private func stack(_ type: String, isSecure: Bool) throws -> AtomicStack {
        let value = NSAttributeDescription()
        value.name = "value"
        value.attributeType = .transformableAttributeType
        value.isOptional = true
        value.valueTransformerName = isSecure ? Self.transformer : nil
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = [value]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return try AtomicStack(folder.url.appendingPathComponent("store"), type: type, model: model)
    }

    private func reread<Value>(_ value: Any, _ type: String, isSecure: Bool, as: Value.Type) throws -> Value {
        let stack = try stack(type, isSecure: isSecure)
        let item = stack.context.make("Item", ["value": value])
        try stack.context.save()
        stack.context.refresh(item, mergeChanges: false)
        return try #require(item.value(forKey: "value") as? Value)
    }

    private static let totals = ["9.99", "5", "-12345678901234567890.0125", "1e-100"].map {
        NSDecimalNumber(string: $0)
    }

    @Test("keep the decimal numbers that they encode, alone and in collections", arguments: types, [true, false])
    func decimals(type: String, isSecure: Bool) throws {
        for total in Self.totals {
            func expectSame(_ read: Till) {
                #expect(read.total == total)
                #expect(read.change == total.decimalValue / 8)
                #expect(
                    read.coins.map(\.description) == [total, 2, NSDecimalNumber(string: "0.05")].map(\.description))
                #expect(read.byName["a"] == total)
                #expect(read.unkeyed == NSDecimalNumber(string: "7.25"))
            }
            expectSame(try reread(Till(total), type, isSecure: isSecure, as: Till.self))
            let mixed = [Till(total), total, ["k": [Till(total)]]] as NSArray
            let read = try reread(mixed, type, isSecure: isSecure, as: NSArray.self)
            expectSame(try #require(read[0] as? Till))
            #expect(read[1] as? NSDecimalNumber == total)
            expectSame(try #require((read[2] as? [String: [Till]])?["k"]?.first))
        }
    }

    @Test("are one object where they were one", arguments: types, [true, false])
    func identities(type: String, isSecure: Bool) throws {
        let till = Till(3)
        let (ann, bob) = (Cashier("Ann", [till, till]), Cashier("Bob", [till]))
        ann.meet(bob)
        let read = try reread([ann, bob, ann] as NSArray, type, isSecure: isSecure, as: NSArray.self)
        let cashiers = try #require(read as? [Cashier])
        #expect(cashiers.map(\.name) == ["Ann", "Bob", "Ann"])
        #expect(cashiers[0] === cashiers[2])
        #expect(cashiers[0].tills[0] === cashiers[0].tills[1])
        #expect(cashiers[0].tills[0] === cashiers[1].tills[0])
        #expect(cashiers[0].colleagues.first === cashiers[1])
    }

    @Test("that lead to themselves are an error, as such an archive isn't read", arguments: types, [true, false])
    func circles(type: String, isSecure: Bool) throws {
        let (ann, bob) = (Cashier("Ann", []), Cashier("Bob", []))
        ann.meet(bob)
        bob.meet(ann)
        let stack = try stack(type, isSecure: isSecure)
        _ = stack.context.make("Item", ["value": [ann] as NSArray])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.localizedDescription.contains("Item.value") == true)
    }
}
