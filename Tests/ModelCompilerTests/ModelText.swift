import Foundation

/// A model in XML, in a folder of its own.
enum ModelText {
    /// Entities of every code generation setting, with every attribute type.
    static let zoo = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
            <entity name="Animal" representedClassName=".Animal" syncable="YES" codeGenerationType="class">
                <attribute name="name" attributeType="String"/>
                <attribute name="age" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
                <attribute name="legs" optional="YES" attributeType="Integer 64" usesScalarValueType="NO"/>
                <attribute name="weight" attributeType="Float" usesScalarValueType="YES"/>
                <attribute name="isTame" attributeType="Boolean" usesScalarValueType="YES"/>
                <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                <attribute name="fed" optional="YES" attributeType="Date" usesScalarValueType="YES"/>
                <attribute name="price" optional="YES" attributeType="Decimal"/>
                <attribute name="photo" optional="YES" attributeType="Binary"/>
                <attribute name="chip" optional="YES" attributeType="UUID"/>
                <attribute name="page" optional="YES" attributeType="URI"/>
                <attribute name="colour" optional="YES" attributeType="Transformable"/>
                <attribute name="sounds" optional="YES" attributeType="Transformable" customClassName="[String]"/>
                <attribute name="calls" optional="YES" attributeType="Transformable" customClassName=".NSArray"/>
                <attribute name="default" optional="YES" attributeType="String"/>
                <relationship name="keepers" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Keeper" inverseName="animals" inverseEntity="Keeper"/>
                <relationship name="cage" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Cage" inverseName="animals" inverseEntity="Cage"/>
            </entity>
            <entity name="Bird" representedClassName="Bird" parentEntity="Animal" syncable="YES" codeGenerationType="class">
                <attribute name="wingspan" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
            </entity>
            <entity name="Cage" representedClassName="Zoo.Cage" syncable="YES" codeGenerationType="category">
                <relationship name="animals" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Animal" inverseName="cage" inverseEntity="Animal"/>
            </entity>
            <entity name="Keeper" representedClassName="Keeper" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="animals" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Animal" inverseName="keepers" inverseEntity="Animal"/>
            </entity>
        </model>
        """

    /// Runs something with a `.xcdatamodeld` that has the text as its one version.
    static func withBundle<Result>(_ text: String, _ body: (URL) throws -> Result) throws -> Result {
        try SwiftTool.inTemporaryFolder { folder in
            let bundle = folder.appendingPathComponent("Zoo.xcdatamodeld")
            let version = bundle.appendingPathComponent("Zoo.xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try text.write(to: version.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
            return try body(bundle)
        }
    }
}
