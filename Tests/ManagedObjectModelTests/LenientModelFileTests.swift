import Foundation
import ManagedObjectModel
import Testing

@Suite("Models that Xcode's compiler takes although they look wrong")
struct LenientModelFileTests {
    private func read(_ body: String, outside: String = "") throws -> NSManagedObjectModel {
        try ModelFile.read(
            data: Data(
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Thing">\(body)</entity>\(outside)</model>
                """.utf8))
    }

    private func defaultValue(_ type: String, _ text: String) throws -> (value: Any?, warnings: [String]) {
        let model = try read(
            #"<attribute name="value" optional="YES" attributeType="\#(type)" defaultValueString="\#(text)"/>"#)
        return (
            model.entitiesByName["Thing"]?.attributesByName["value"]?.defaultValue,
            ModelChecks.issues(in: model).filter { $0.severity == .warning }.map(\.message)
        )
    }

    @Test("have YES and NO as 1 and 0 for numbers of every type, without a warning")
    func truth() throws {
        for type in ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal", "Boolean"] {
            for (text, number) in [("YES", 1), ("NO", 0)] {
                let (value, warnings) = try defaultValue(type, text)
                #expect((value as? NSNumber)?.intValue == number, "\(type) \(text)")
                #expect(warnings.isEmpty)
            }
        }
    }

    @Test(
        "have what integerValue and its kind make of other texts, with a warning",
        arguments: [
            ("Integer 16", "12abc", 12.0), ("Integer 32", "many", 0), ("Integer 64", "", 0), ("Double", "1.5x", 1.5),
            ("Float", "none", 0), ("Decimal", "abc", 0), ("Boolean", "maybe", 0),
        ])
    func garbage(type: String, text: String, number: Double) throws {
        let (value, warnings) = try defaultValue(type, text)
        #expect((value as? NSNumber)?.doubleValue == number)
        #expect(warnings.count == 1, "\(warnings)")
    }

    @Test("have no default where no value can be made of the text", arguments: ["UUID", "URI"])
    func unusable(type: String) throws {
        let (value, warnings) = try defaultValue(type, type == "UUID" ? "no uuid" : "http://[")
        #expect(value == nil)
        #expect(warnings.count == 1)
    }

    @Test("say in which property something is odd")
    func place() throws {
        let model = try read(#"<attribute name="count" attributeType="Integer 16" defaultValueString="x"/>"#)
        let issue = try #require(ModelChecks.issues(in: model).first)
        #expect(issue.entity == "Thing" && issue.property == "count")
    }

    @Test("are read whatever is odd in dates, limits, rules, counts, indexes, configurations and requests")
    func others() throws {
        let model = try read(
            """
            <attribute name="date" optional="YES" attributeType="Date" defaultDateTimeInterval="soon" minDateTimeInterval=""/>
            <attribute name="number" optional="YES" attributeType="Integer 16" minValueString="low" maxValueString=""/>
            <attribute name="text" optional="YES" attributeType="String" maxValueString="10 or so" elementID=""/>
            <attribute name="data" optional="YES" attributeType="Binary" derivationExpression="" unheardOf="1"/>
            <relationship name="other" optional="YES" maxCount="1.0" minCount="" deletionRule="Sometimes" \
            destinationEntity="Thing" inverseName="" inverseEntity=""/>
            <unheardOf/>
            <fetchIndex name="bad" partialIndexPredicate="((("><fetchIndexElement property="text"/></fetchIndex>
            <uniquenessConstraints><uniquenessConstraint/><uniquenessConstraint><constraint value=""/>
            </uniquenessConstraint></uniquenessConstraints>
            """,
            outside: """
                <configuration name="Local"><memberEntity name="Thing"/><memberEntity name="Gone"/></configuration>
                <fetchRequest name="bad" entity="Thing" predicateString="((("/>
                <fetchRequest name="good" entity="Thing" predicateString="text != nil" fetchLimit=""/>
                <elements/>
                """)
        let thing = try #require(model.entitiesByName["Thing"])
        #expect(thing.attributesByName["text"]?.renamingIdentifier == "text")
        #expect(thing.attributesByName["text"]?.validationPredicates.map(\.predicateFormat) == ["length <= 10"])
        #expect(!(thing.attributesByName["data"] is NSDerivedAttributeDescription))
        let other = try #require(thing.relationshipsByName["other"])
        #expect(!other.isToMany && other.deleteRule == .nullifyDeleteRule && other.inverseRelationship == nil)
        #expect(thing.indexes.isEmpty && thing.uniquenessConstraints.isEmpty)
        #expect(model.entities(forConfigurationName: "Local")?.map(\.name) == ["Thing"])
        #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["good"])
        let warnings = ModelChecks.issues(in: model).map(\.message)
        for part in ["soon", "low", "10 or so", "Sometimes", "index bad", "Gone", "fetch request bad"] {
            #expect(warnings.contains { $0.contains(part) }, "\(part): \(warnings)")
        }
    }

    @Test("warn of the current version only, while errors are told of all")
    func versions() throws {
        let odd = #"<attribute name="count" attributeType="Integer 16" defaultValueString="x"/>"#
        let wrong = #"<attribute name="1count" attributeType="Integer 16"/>"#
        let models = ["1": try read(odd), "2": try read(odd), "3": try read(wrong)]
        let issues = ModelChecks.issues(in: ModelVersions(models: models, currentVersionName: "2"))
        #expect(issues["1"] == nil)
        #expect(issues["2"]?.map(\.severity) == [.warning])
        #expect(issues["3"]?.contains { $0.severity == .error } == true)
    }
}
