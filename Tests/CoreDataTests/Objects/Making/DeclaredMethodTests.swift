@_spi(GeneratedCode) import CoreData
import Foundation
import Testing

/// A class with methods that its plugin would have seen declared with `@objc`.
class Speaker: NSManagedObject {
    var name: String? {
        get { primitiveValue(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
    func initial() -> String { String((name ?? "").prefix(1)) }
    func isKnown() -> Bool { name != nil }
    func greeting(for other: String, times: NSNumber) -> String {
        Array(repeating: "\(name ?? "") greets \(other)", count: times.intValue).joined(separator: ", ")
    }
    func shown(_ mark: String?) -> String { (name ?? "") + (mark ?? "") }
    var shouted: String { (name ?? "").uppercased() }
}

private final class ChiefSpeaker: Speaker {
    override func initial() -> String { "chief " + super.initial() }
}

private final class PricePolicy: NSEntityMigrationPolicy {
    func price(in currency: String, of cents: NSNumber) -> String { "\(currency) \(cents)" }
}

/// An ordinary object of which one property depends on another.
private final class Temperature: NSObject {
    var celsius = 0 {
        willSet { willChangeValue(forKey: "celsius") }
        didSet { didChangeValue(forKey: "celsius") }
    }
    var fahrenheit: Int { celsius * 9 / 5 + 32 }
}

@Suite("Methods that a class declares, and that have a selector on Apple's platforms") struct DeclaredMethodTests {
    private static let declarations: Void = {
        GeneratedClasses.register(
            classes: { [:] },
            keyPaths: {
                [
                    \Speaker.name: "name", \Speaker.shouted: "shouted", \Temperature.celsius: "celsius",
                    \Temperature.fahrenheit: "fahrenheit",
                ]
            })
        GeneratedClasses.register(properties: {
            [\Speaker.shouted: "shouted", \Temperature.fahrenheit: "fahrenheit"]
        })
        GeneratedClasses.register(methods: {
            [
                DeclaredMethod("initial", of: Speaker.self) { object, _ in object.initial() },
                DeclaredMethod("isKnown", of: Speaker.self) { object, _ in object.isKnown() },
                DeclaredMethod("greetingFor:times:", of: Speaker.self) { object, arguments in
                    try object.greeting(for: arguments[0], times: arguments[1])
                },
                DeclaredMethod("shown:", of: Speaker.self) { object, arguments in try object.shown(arguments[0]) },
                DeclaredMethod(ofClass: Speaker.self, "keyPathsForValuesAffectingShouted") { Set(["name"]) },
                DeclaredMethod(ofClass: Temperature.self, "keyPathsForValuesAffectingFahrenheit") { Set(["celsius"]) },
                DeclaredMethod("priceIn:of:", of: PricePolicy.self) { object, arguments in
                    try object.price(in: arguments[0], of: arguments[1])
                },
            ]
        })
        GeneratedClasses.register(policies: { ["Declared_PricePolicy": PricePolicy.self] })
    }()

    private func stack() throws -> TemporaryStack {
        _ = Self.declarations
        func entity(_ name: String, _ objectClass: NSManagedObject.Type) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = NSStringFromClass(objectClass)
            entity.properties = [Office.attribute("name", .stringAttributeType)]
            return entity
        }
        let model = NSManagedObjectModel()
        model.entities = [entity("Speaker", Speaker.self), entity("Chief", ChiefSpeaker.self)]
        return try TemporaryStack(model: model)
    }

    private func speaker(_ name: String?, in context: NSManagedObjectContext) -> Speaker {
        let speaker = Speaker(context: context)
        speaker.name = name
        return speaker
    }

    @Test("answer for their keys where they have no arguments, as is<Key> too, with overrides of subclasses")
    func keys() throws {
        let stack = try stack()
        let context = stack.context()
        let anna = speaker("Anna", in: context)
        #expect(anna.value(forKey: "initial") as? String == "A")
        #expect(anna.value(forKeyPath: "initial.length") as? Int == 1)
        #expect(anna.value(forKey: "known") as? NSNumber == true)
        let chief = ChiefSpeaker(context: context)
        chief.name = "Ben"
        #expect(chief.value(forKey: "initial") as? String == "chief B")
    }

    @Test("count in predicates and sort descriptors in memory, and name sections")
    func evaluation() throws {
        let stack = try stack()
        let context = stack.context()
        let speakers = ["Ben", "Anna", "Berta"].map { speaker($0, in: context) }
        let predicate = NSPredicate(format: "initial == 'B'")
        #expect(speakers.filter(predicate.evaluate).map(\.name) == ["Ben", "Berta"])
        let request = NSFetchRequest<Speaker>(entityName: "Speaker")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: nil)
        try results.performFetch()
        #expect(results.sections?.map(\.name) == ["A", "B"])
    }

    @Test("are called by FUNCTION, with arguments of their types, and nil where that is one")
    func functions() throws {
        let stack = try stack()
        let anna = speaker("Anna", in: stack.context())
        let expression = NSExpression(format: "FUNCTION(SELF, 'greetingFor:times:', 'Ben', 2)")
        #expect(
            expression.expressionValue(with: anna, context: nil) as? String == "Anna greets Ben, Anna greets Ben")
        let shown = NSExpression(format: "FUNCTION(SELF, 'shown:', nil)")
        #expect(shown.expressionValue(with: anna, context: nil) as? String == "Anna")
    }

    @Test("are called on a migration policy, which mapping models find by its bare name")
    func policies() throws {
        _ = try stack()
        let found = try #require(NSClassFromString("Declared_PricePolicy") as? NSEntityMigrationPolicy.Type)
        #expect(found == PricePolicy.self)
        let policy = PricePolicy()
        #expect(try policy.perform(selector: "priceIn:of:", arguments: ["EUR", 5]) as? String == "EUR 5")
        #expect(throws: UnknownSelectorError.self) { try policy.perform(selector: "priceIn:", arguments: ["EUR"]) }
        let error = #expect(throws: (any Error).self) {
            try policy.perform(selector: "priceIn:of:", arguments: ["EUR", "five"])
        }
        #expect("\(error!)" == "The argument 2 of priceIn:of: has to be a NSNumber, and is String (five).")
    }

    @Test("say by keyPathsForValuesAffecting<Key> on which keys another depends, for observers")
    func dependencies() throws {
        let stack = try stack()
        let anna = speaker("Anna", in: stack.context())
        var told: [String] = []
        let observation = anna.observe(\.shouted, options: [.new]) { _, change in told.append(change.newValue ?? "") }
        anna.name = "Ada"
        observation.invalidate()
        #expect(told == ["ADA"])
        #expect(Speaker.keyPathsForValuesAffectingValue(forKey: "shouted") == ["name"])
        let temperature = Temperature()
        var degrees: [Int] = []
        let other = temperature.observe(\.fahrenheit, options: [.new]) { _, change in
            degrees.append(change.newValue ?? 0)
        }
        temperature.celsius = 100
        other.invalidate()
        #expect(degrees == [212])
    }
}
