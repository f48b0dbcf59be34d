import Foundation
import ManagedObjectModel
import Testing

@Suite("Checks name what is wrong with a model, and where")
struct ModelCheckTests {
    private func issues(_ xml: String) throws -> [String] {
        let model = try ModelFile.read(data: Data("<model>\(xml)</model>".utf8))
        return ModelChecks.issues(in: model).map(\.description)
    }

    @Test("A sound model has no issues")
    func sound() {
        #expect(ModelChecks.issues(in: LibraryModel.make()).isEmpty)
    }

    @Test(
        "Each mistake has its message",
        arguments: [
            (
                "<relationship name='r' maxCount='1' deletionRule='Nullify' destinationEntity='B'/>",
                "error: A.r: its destination"
            ),
            (
                "<relationship name='r' optional='YES' maxCount='1' destinationEntity='A'/>",
                "warning: A.r: it has no inverse"
            ),
            (
                "<relationship name='r' maxCount='1' destinationEntity='A' inverseName='x' inverseEntity='A'/>",
                "error: A.r: its inverse \"x\" is no relationship"
            ),
            (
                "<relationship name='r' maxCount='1' deletionRule='No Action' destinationEntity='A'/>",
                "warning: A.r: the delete rule"
            ),
            ("<relationship name='r' toMany='YES' destinationEntity='A'/>", "warning: A.r: it has to lead to objects"),
            (
                "<relationship name='r' toMany='YES' minCount='3' maxCount='2' destinationEntity='A'/>",
                "error: A.r: the minimum"
            ),
            ("<relationship name='r' ordered='YES' maxCount='1' destinationEntity='A'/>", "warning: A.r: a to-one"),
            ("<relationship name='r'/>", "error: A.r: it has no destination"),
            ("<attribute name='description' attributeType='String'/>", "error: A.description: the name is reserved"),
            ("<attribute name='1st' attributeType='String'/>", "error: A.1st: the name is no identifier"),
            ("<attribute name='a'/>", "error: A.a: the type is undefined"),
            ("<attribute name='a' attributeType='Transformable'/>", "warning: A.a: it has no value transformer"),
            (
                "<attribute name='a' attributeType='Integer 16' minValueString='3' defaultValueString='1'/>",
                "warning: A.a: the default value 1"
            ),
            (
                "<attribute name='a' attributeType='String' maxValueString='2' defaultValueString='abc'/>",
                "warning: A.a: the default value abc"
            ),
            ("<attribute name='a' attributeType='Integer 16' derived='YES'/>", "error: A.a: it is derived"),
            (
                "<uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint>"
                    + "</uniquenessConstraints>", "error: A: a uniqueness constraint names the unknown property"
            ),
            ("<fetchIndex name='i'><fetchIndexElement property='x'/></fetchIndex>", "error: A: the index \"i\" names"),
        ])
    func mistake(content: String, message: String) throws {
        let found = try issues("<entity name='A'>\(content)</entity>")
        #expect(found.contains { $0.hasPrefix(message) }, "\(found)")
    }

    @Test("An inverse that leads elsewhere is a mismatch")
    func inverseMismatch() throws {
        let found = try issues(
            """
            <entity name='A'><relationship name='b' maxCount='1' destinationEntity='B' inverseName='a'/>\
            <relationship name='other' maxCount='1' destinationEntity='B' inverseName='a'/></entity>\
            <entity name='B'><relationship name='a' maxCount='1' destinationEntity='A' inverseName='b'/></entity>
            """)
        #expect(found.filter { $0.hasPrefix("error") }.count == 1)
        #expect(found.contains { $0.hasPrefix("error: A.other: the inverse of its inverse") })
    }

    @Test("A property that an ancestor has already is an error")
    func redeclared() throws {
        let found = try issues(
            """
            <entity name='A'><attribute name='x' attributeType='String'/></entity>\
            <entity name='B' parentEntity='A'><attribute name='x' attributeType='String'/></entity>
            """)
        #expect(found == ["error: B.x: it is inherited from A already"])
    }

    @Test("Apple's compilers took every compiled fixture: no errors in them", .enabled(if: Fixtures.arePresent))
    func compiledFixtures() throws {
        for path in Fixtures.compiledPaths {
            let errors = ModelChecks.issues(in: try ModelFile.read(Fixtures.url(path))).filter { $0.severity == .error }
            #expect(errors.isEmpty, "\(path)")
        }
    }
}
