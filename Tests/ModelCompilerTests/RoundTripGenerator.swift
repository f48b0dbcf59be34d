import Foundation

/// Makes up programs whose classes have `@NSManaged` members of every shape, and which set, save and read each of them.
struct RoundTripGenerator {
    /// A type, the kind of attribute that fits, and a value.
    private struct Shape {
        let type: String
        let attribute: String
        let value: String
        /// How the value read is compared with the one set, when `==` isn't enough.
        var comparison = "$0 == $1"
    }

    /// Where a class is declared, and how it is called there and from outside; `#` is the number of the declaration.
    private struct Place {
        let opening: String
        let closing: String
        let name: String
        let superclass: String
        var modifiers = ""

        func numbered(_ number: String) -> Place {
            Place(
                opening: opening.replacingOccurrences(of: "#", with: number), closing: closing,
                name: name.replacingOccurrences(of: "#", with: number), superclass: superclass, modifiers: modifiers)
        }
    }

    private static let attributes: [Shape] = [
        Shape(type: "Int16", attribute: "integer16", value: "-7"),
        Shape(type: "Int32", attribute: "integer32", value: "1 << 30"),
        Shape(type: "Int64", attribute: "integer64", value: "-(1 << 60)"),
        Shape(type: "Int", attribute: "integer64", value: "1 << 40"),
        Shape(type: "UInt16", attribute: "integer32", value: "65_535"),
        Shape(type: "Bool", attribute: "boolean", value: "true"),
        Shape(type: "Double", attribute: "double", value: "2.5"),
        Shape(type: "Float", attribute: "float", value: "0.1"),
        Shape(type: "CGFloat", attribute: "double", value: "1.25"),
        Shape(type: "String", attribute: "string", value: "\"größe\""),
        Shape(type: "NSString", attribute: "string", value: "NSString(string: \"a\")"),
        Shape(type: "Date", attribute: "date", value: "Date(timeIntervalSinceReferenceDate: 1.5)"),
        Shape(type: "TimeInterval", attribute: "date", value: "86_400"),
        Shape(type: "NSDate", attribute: "date", value: "NSDate(timeIntervalSinceReferenceDate: 2)"),
        Shape(type: "Data", attribute: "binaryData", value: "Data([1, 2])"),
        Shape(type: "UUID", attribute: "UUID", value: "UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6))"),
        Shape(type: "URL", attribute: "URI", value: "URL(fileURLWithPath: \"/a\")"),
        Shape(type: "Decimal", attribute: "decimal", value: "Decimal(string: \"0.1\")!"),
        Shape(type: "NSDecimalNumber", attribute: "decimal", value: "NSDecimalNumber(string: \"4.5\")"),
        Shape(type: "NSNumber", attribute: "integer64", value: "NSNumber(value: 6)"),
        Shape(type: "Grade", attribute: "integer16", value: ".high"),
        Shape(type: "Space.Mood", attribute: "string", value: ".wild"),
        Shape(type: "Labels", attribute: "transformable", value: "[\"a\", \"b\"]"),
        Shape(type: "[String: Int]", attribute: "transformable", value: "[\"a\": 1]"),
        Shape(
            type: "Any", attribute: "transformable", value: "\"text\"", comparison: "($0 as? String) == ($1 as? String)"
        ),
        Shape(type: "NSObject", attribute: "transformable", value: "NSString(string: \"b\")"),
        Shape(type: "Colour", attribute: "transformable", value: "Colour(red: 7)"),
        Shape(type: "Shade", attribute: "transformable", value: "Shade(red: 8)"),
        Shape(type: "Shapes.Kind", attribute: "integer32", value: ".round"),
        Shape(type: "Outer.Label", attribute: "string", value: ".second"),
        Shape(type: "Alias", attribute: "date", value: "Date(timeIntervalSinceReferenceDate: 3)"),
        Shape(type: "Weight", attribute: "transformable", value: "Weight(grams: 9)"),
        Shape(type: "Int8", attribute: "integer16", value: "-5"),
        Shape(type: "UInt32", attribute: "integer64", value: "1 << 31"),
        Shape(type: "NSData", attribute: "binaryData", value: "NSData(data: Data([3]))"),
        Shape(
            type: "NSUUID", attribute: "UUID", value: "NSUUID(uuidString: \"00000000-0000-0000-0000-000000000001\")!"),
        Shape(type: "NSURL", attribute: "URI", value: "NSURL(fileURLWithPath: \"/b\")"),
        Shape(type: "Set<String>", attribute: "transformable", value: "[\"c\"]"),
        Shape(
            type: "[String: Any]", attribute: "transformable", value: "[\"a\": 1]",
            comparison: "($0 as [String: Any]?)?[\"a\"] as? Int == 1"),
    ]

    /// Relationships to `Part`, of which the object gets two.
    private static let relationships = [
        "Part?", "Part", "Part!", "NSSet?", "NSSet", "NSSet!", "Set<Part>", "Set<Part>?", "Set<Part>!", "NSOrderedSet?",
        "NSOrderedSet", "NSMutableSet", "NSMutableOrderedSet",
    ]

    private static let places = [
        Place(opening: "", closing: "", name: "Plain", superclass: "NSManagedObject"),
        Place(opening: "", closing: "", name: "Last", superclass: "NSManagedObject", modifiers: "final "),
        Place(opening: "", closing: "", name: "Shown", superclass: "NSManagedObject", modifiers: "public "),
        Place(opening: "", closing: "", name: "Open", superclass: "NSManagedObject", modifiers: "open "),
        Place(opening: "", closing: "", name: "Specific", superclass: "Generic<Int>"),
        Place(opening: "", closing: "", name: "Derived", superclass: "Base"),
        Place(opening: "enum Outer# { ", closing: " }", name: "Outer#.Nested", superclass: "NSManagedObject"),
        Place(opening: "extension Space { ", closing: " }", name: "Space.Item", superclass: "Plain"),
        Place(
            opening: "extension Space.Inner { ", closing: " }", name: "Space.Inner.Deep", superclass: "NSManagedObject"),
        Place(opening: "", closing: "", name: "Hidden", superclass: "NSManagedObject", modifiers: "private "),
        Place(
            opening: "extension Space { ", closing: " }", name: "Space.Secret", superclass: "NSManagedObject",
            modifiers: "fileprivate final "),
    ]

    private static let accesses = [
        "", "", "public ", "private ", "fileprivate ", "internal ", "private(set) ", "fileprivate(set) ", "final ",
        "public private(set) ", "open ",
    ]

    private var random: SeededGenerator
    private var count = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The text of a program with so many declarations, which prints what doesn't keep its value, and at last how many
    /// it tried.
    mutating func program(declarations: Int) -> String {
        var text = Self.prelude
        var classes: [String] = []
        for number in 0..<max(declarations / 25, Self.places.count) {
            let suffix = "\(number)"
            let place = Self.places[number % Self.places.count].numbered(suffix)
            classes.append(place.name + suffix)
            text += declaration(of: place, suffix: suffix, members: 22)
        }
        text += "checkAll([\n" + classes.map { "    \(accessor($0)),\n" }.joined() + "])\n"
        return text
    }

    /// The entity and the check of a class, by functions that other places of the file can name.
    private func accessor(_ name: String) -> String {
        let simple = name.split(separator: ".").last ?? ""
        return "(\(name).entityOf\(simple)(), { \(name).check\(simple)($0) })"
    }

    private mutating func declaration(of place: Place, suffix: String, members: Int) -> String {
        let simple = (place.name.split(separator: ".").last.map(String.init) ?? place.name) + suffix
        // A superclass of the same kind is the first of its name.
        let superclass = place.superclass == "Plain" ? "Plain0" : place.superclass
        var own = ""
        var extended = ""
        var entity = ""
        var sets = ""
        var checks = ""
        if let inherited = Self.inherited[superclass] {
            entity += inherited.properties
            sets += inherited.sets
            checks += inherited.checks
        }
        for _ in 0..<members {
            let isOwn = Bool.random(using: &random)
            let access = access(in: place, isOwn: isOwn)
            let (line, property, setting, check) =
                Int.random(in: 0..<5, using: &random) == 0 ? relationship(access) : attribute(access)
            if isOwn { own += "    \(line)\n" } else { extended += "    \(line)\n" }
            entity += property
            sets += setting
            checks += check
        }
        // In the same file this is as visible as `fileprivate`, and allowed for classes of either access.
        let fileAccess = place.modifiers.contains("private") ? "private " : ""
        return """
            \(place.opening)\(place.modifiers)class \(simple): \(superclass) {
            \(own)}\(place.closing)
            \(fileAccess)extension \(place.name)\(suffix) {
            \(extended)
                static func entityOf\(simple)() -> NSEntityDescription {
                    makeEntity(named: "\(simple)", of: \(place.name)\(suffix).self, [
            \(entity)        ])
                }
                static func check\(simple)(_ context: NSManagedObjectContext) {
                    let object = \(place.name)\(suffix)(entity: entityDescription("\(simple)", in: context), insertInto: context)
                    let more = { makeParts($0, in: context) }
                    let parts = more(2)
            \(sets)
                    refresh(object, in: context)
            \(checks)    }
            }

            """
    }

    private mutating func name() -> String {
        count += 1
        let stem =
            ["name", "unitPrice", "URL", "_hidden", "größe", "日付", "isDone", "x"].randomElement(using: &random) ?? "x"
        return "\(stem)\(count)"
    }

    /// What classes inherit from those that all of a program share.
    private static let inherited = [
        "Generic<Int>": (
            properties: """
                        attribute("common", .stringAttributeType),
                        attribute("value", .integer64AttributeType),
                        relationship("parts", toMany: true, ordered: false),

            """,
            sets: """
                    object.common = "shared"
                    object.value = 12
                    object.parts = Set(parts)

            """,
            checks: """
                    expect(object.common == "shared", "Generic.common")
                    expect(object.value == 12, "Generic.value")
                    expect(object.parts.count == 2, "Generic.parts")

            """
        ),
        "Base": (
            properties: """
                        attribute("title", .stringAttributeType),
                        attribute("kind", .integer32AttributeType),
                        attribute("note", .stringAttributeType),

            """,
            sets: """
                    object.title = "base"
                    object.kind = .square
                    object.note = "added"

            """,
            checks: """
                    expect(object.title == "base", "Base.title")
                    expect(object.kind == .square, "Base.kind")
                    expect(object.note == "added", "Base.note")

            """
        ),
    ]

    /// Members of public classes may be public, and open where they stand in the class.
    private mutating func access(in place: Place, isOwn: Bool) -> String {
        let access = Self.accesses.randomElement(using: &random) ?? ""
        if access.hasPrefix("open") {
            return isOwn && place.modifiers.contains("open") ? access : ""
        }
        guard access.hasPrefix("public") else { return access }
        let isPublic = place.modifiers.contains("public") || place.modifiers.contains("open")
        return isPublic ? access : access.replacingOccurrences(of: "public", with: "internal")
    }

    private mutating func attribute(_ access: String) -> (line: String, property: String, set: String, check: String) {
        let shape = Self.attributes.randomElement(using: &random) ?? Self.attributes[0]
        let name = name()
        let mark = ["", "", "?", "!"].randomElement(using: &random) ?? ""
        let type = mark.isEmpty || shape.type != "Any" ? shape.type + mark : "Any?"
        let comparison = shape.comparison.replacingOccurrences(of: "$0", with: "object.\(name)")
            .replacingOccurrences(
                of: "$1", with: shape.comparison == "$0 == $1" ? shape.value : "(\(shape.value) as Any)")
        return (
            "@NSManaged \(access)var \(name): \(type)",
            "            attribute(\"\(name)\", .\(shape.attribute)AttributeType),\n",
            (type.hasSuffix("?") ? "        expect(object.\(name) == nil, \"\(name): \(type) of nothing\")\n" : "")
                + "        object.\(name) = \(shape.value)\n",
            "        expect(\(comparison), \"\(name): \(type)\")\n"
        )
    }

    private mutating func relationship(
        _ access: String
    ) -> (line: String, property: String, set: String, check: String) {
        let type = Self.relationships.randomElement(using: &random) ?? "NSSet?"
        let name = name()
        let capitalised = name.prefix(1).uppercased() + name.dropFirst()
        var line = "@NSManaged \(access)var \(name): \(type)"
        let isOrdered = type.contains("OrderedSet")
        let isToOne = type.hasPrefix("Part")
        let property =
            "            relationship(\"\(name)\", toMany: \(!isToOne), ordered: \(isOrdered)),\n"
        guard !isToOne else {
            return (
                line, property, "        object.\(name) = parts[0]\n",
                "        expect(object.\(name)\(type.hasSuffix("?") ? "?" : "").number == parts[0].number, \"\(name)\")\n"
            )
        }
        let plain = type.trimmingCharacters(in: ["?", "!"])
        let value =
            switch plain {
            case "NSOrderedSet": "NSOrderedSet(array: parts)"
            case "NSMutableSet": "NSMutableSet(array: parts)"
            case "NSMutableOrderedSet": "NSMutableOrderedSet(array: parts)"
            case "NSSet": "NSSet(array: parts)"
            default: "Set(parts)"
            }
        var set = "        object.\(name) = \(value)\n"
        if Bool.random(using: &random) {
            // The methods of the relationship, in place of setting it.
            let methods: [(String, String)] =
                isOrdered
                ? [
                    (
                        "insertInto\(capitalised)(_ value: Part, at idx: Int)",
                        "insertInto\(capitalised)(parts[1], at: 0)"
                    ),
                    (
                        "addTo\(capitalised)(_ values: NSOrderedSet)",
                        "addTo\(capitalised)(NSOrderedSet(array: [parts[0]]))"
                    ),
                    (
                        "replace\(capitalised)(at idx: Int, with value: Part)",
                        "replace\(capitalised)(at: 0, with: parts[1])"
                    ),
                    (
                        "insertInto\(capitalised)(_ values: [Part], at indexes: NSIndexSet)",
                        "insertInto\(capitalised)(more(2), at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)))"
                    ),
                    (
                        "replace\(capitalised)(at indexes: NSIndexSet, with values: [Part])",
                        "replace\(capitalised)(at: NSIndexSet(index: 1), with: more(1))"
                    ),
                    ("removeFrom\(capitalised)(at idx: Int)", "removeFrom\(capitalised)(at: 1)"),
                    (
                        "removeFrom\(capitalised)(at indexes: NSIndexSet)",
                        "removeFrom\(capitalised)(at: NSIndexSet(index: 0))"
                    ),
                    ("addTo\(capitalised)(_ value: Part)", "addTo\(capitalised)(parts[0])"),
                    ("removeFrom\(capitalised)(_ value: Part)", "removeFrom\(capitalised)(makePart(in: context))"),
                    (
                        "removeFrom\(capitalised)(_ values: NSOrderedSet)",
                        "removeFrom\(capitalised)(NSOrderedSet(array: more(2)))"
                    ),
                ]
                : [
                    ("addTo\(capitalised)(_ value: Part)", "addTo\(capitalised)(parts[0])"),
                    (
                        "addTo\(capitalised)(_ values: \(plain == "NSMutableSet" ? "NSSet" : plain))",
                        "addTo\(capitalised)(\(plain == "Set<Part>" ? "Set(parts)" : "NSSet(array: parts)"))"
                    ),
                    ("removeFrom\(capitalised)(_ value: Part)", "removeFrom\(capitalised)(makePart(in: context))"),
                    (
                        "removeFrom\(capitalised)(_ values: \(plain == "NSMutableSet" ? "NSSet" : plain))",
                        "removeFrom\(capitalised)(\(plain == "Set<Part>" ? "Set(more(2))" : "NSSet(array: more(2))"))"
                    ),
                ]
            set = ""
            for (declaration, call) in methods {
                line += "\n    @NSManaged func \(declaration)"
                set += "        object.\(call)\n"
            }
        }
        let members = type.hasSuffix("?") ? "object.\(name)?.count" : "object.\(name).count"
        return (line, property, set, "        expect(\(members) == 2, \"\(name): \(type)\")\n")
    }

    /// A module that the program uses, with a base class of its own.
    static let library = """
        import CoreData
        public enum Kind: Int32, Sendable { case square, round }
        public enum Outer { public enum Label: String, Sendable { case first, second } }
        public typealias Alias = Date
        public final class Weight: NSObject, NSSecureCoding {
            public static var supportsSecureCoding: Bool { true }
            let grams: Int
            public init(grams: Int) { self.grams = grams }
            public init?(coder: NSCoder) { grams = coder.decodeInteger(forKey: "grams") }
            public func encode(with coder: NSCoder) { coder.encode(grams, forKey: "grams") }
            public override func isEqual(_ object: Any?) -> Bool { (object as? Weight)?.grams == grams }
            public override var hash: Int { grams }
        }
        open class Base: NSManagedObject {
            @NSManaged public var title: String
            @NSManaged public var kind: Kind
        }

        """

    private static let prelude = """
        import CoreData
        import Foundation
        import Shapes
        public typealias Labels = [String]
        public enum Grade: Int16 { case low, high }
        public class Colour: NSObject, NSSecureCoding {
            public class var supportsSecureCoding: Bool { true }
            let red: Int
            init(red: Int) { self.red = red }
            public required init?(coder: NSCoder) { red = coder.decodeInteger(forKey: "red") }
            public func encode(with coder: NSCoder) { coder.encode(red, forKey: "red") }
            public override func isEqual(_ object: Any?) -> Bool { (object as? Colour)?.red == red }
            public override var hash: Int { red }
        }
        public enum Space {
            public enum Mood: String { case calm, wild }
            public struct Inner {}
        }
        public final class Shade: Colour {}
        class Generic<Value>: NSManagedObject {
            @NSManaged var common: String?
            @NSManaged var value: Value?
            @NSManaged var parts: Set<Part>
        }
        public class Part: NSManagedObject { @NSManaged var number: Int }
        extension Base { @NSManaged var note: String? }

        nonisolated(unsafe) var tried = 0
        nonisolated(unsafe) let part = makeEntity(named: "Part", of: Part.self, [attribute("number", .integer64AttributeType)])
        nonisolated(unsafe) var nextNumber = 0

        func expect(_ condition: Bool, _ member: String) {
            tried += 1
            if !condition { print("lost:", member) }
        }
        func makePart(in context: NSManagedObjectContext) -> Part {
            let made = Part(entity: part, insertInto: context)
            nextNumber += 1
            made.number = nextNumber
            return made
        }
        func makeParts(_ count: Int, in context: NSManagedObjectContext) -> [Part] {
            (0..<count).map { _ in makePart(in: context) }
        }
        func makeEntity(named name: String, of type: NSManagedObject.Type, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = String(describing: type)
            entity.properties = properties
            return entity
        }
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        func relationship(_ name: String, toMany: Bool, ordered: Bool) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = part
            relationship.maxCount = toMany ? 0 : 1
            relationship.isOptional = true
            relationship.isOrdered = ordered
            return relationship
        }
        func entityDescription(_ name: String, in context: NSManagedObjectContext) -> NSEntityDescription {
            context.persistentStoreCoordinator!.managedObjectModel.entitiesByName[name]!
        }
        func refresh(_ object: NSManagedObject, in context: NSManagedObjectContext) {
            do { try context.save() } catch { fatalError("\\(error)") }
            context.refresh(object, mergeChanges: false)
        }
        func checkAll(_ classes: [(NSEntityDescription, (NSManagedObjectContext) -> Void)]) {
            let model = NSManagedObjectModel()
            model.entities = classes.map(\\.0) + [part]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let file = URL(fileURLWithPath: CommandLine.arguments[1])
            do {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
            } catch { fatalError("\\(error)") }
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            for (_, check) in classes { check(context) }
            print("tried:", tried)
        }

        """
}
