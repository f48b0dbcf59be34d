import CoreData
import Foundation

extension StoreRule {
    static let attributeRules: [StoreRule] = [
        StoreRule("Every type of attribute comes back as it was saved") { trial in
            let stack = try trial.open()
            try stack.run { try SampleValue.make(in: $0) }
            try trial.reopened(stack) { context in try expectSamples(trial, in: context) }
        },
        StoreRule("A value that is nil stays nil, and a default is a value like others") { trial in
            let stack = try trial.open()
            try stack.run { context in
                context.make("Sample", ["name": "empty"])
                context.make("Sample", ["name": "no state"]).setValue(nil, forKey: "state")
                try context.save()
            }
            try trial.reopened(stack) { context in
                let empty = try context.object("Sample", "empty")
                for (attribute, _) in TrialModel.sampleTypes {
                    trial.expectEqual(SampleValue.text(empty.value(forKey: attribute)), "nil", attribute)
                }
                trial.expectEqual(SampleValue.text(empty.value(forKey: "state")), "\"new\"", "the default of state")
                let other = try context.object("Sample", "no state")
                trial.expectEqual(SampleValue.text(other.value(forKey: "state")), "nil", "state that was set to nil")
            }
        },
        StoreRule("A changed value replaces the one before, and nil takes it away") { trial in
            let stack = try trial.open()
            try stack.run { context in
                for (attribute, values) in SampleValue.all {
                    for number in values.indices {
                        context.make("Sample", ["name": "\(attribute) \(number)", attribute: values[0]])
                    }
                    context.make("Sample", ["name": "\(attribute) nil", attribute: values[0]])
                }
                try context.save()
                for (attribute, values) in SampleValue.all {
                    for (number, value) in values.enumerated() {
                        try context.object("Sample", "\(attribute) \(number)").setValue(value, forKey: attribute)
                    }
                    try context.object("Sample", "\(attribute) nil").setValue(nil, forKey: attribute)
                }
                try context.save()
            }
            try trial.reopened(stack) { context in
                try expectSamples(trial, in: context)
                for (attribute, _) in SampleValue.all {
                    let value = try context.object("Sample", "\(attribute) nil").value(forKey: attribute)
                    trial.expectEqual(SampleValue.text(value), "nil", "\(attribute) that was set to nil")
                }
            }
        },
        StoreRule("A transient attribute isn't stored") { trial in
            let stack = try trial.open()
            try stack.run { context in
                context.make("Sample", ["name": "one", "note": "for now"])
                try context.save()
            }
            try trial.reopened(stack) { context in
                let value = try context.object("Sample", "one").value(forKey: "note")
                trial.expectEqual(SampleValue.text(value), "nil", "the transient attribute")
            }
        },
    ]

    private static func expectSamples(_ trial: StoreTrial, in context: NSManagedObjectContext) throws {
        for (attribute, values) in SampleValue.all {
            for (number, value) in values.enumerated() {
                let found = try context.object("Sample", "\(attribute) \(number)").value(forKey: attribute)
                trial.expect(
                    SampleValue.isSame(found, as: value),
                    "\(attribute): expected \(SampleValue.text(value)), found \(SampleValue.text(found))")
            }
        }
    }
}
