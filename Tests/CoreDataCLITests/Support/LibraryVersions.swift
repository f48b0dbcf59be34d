import Foundation

/// Later versions of the library's model, written as Xcode would have them, and mapping models to them.
struct LibraryVersions {
    let folder: URL

    /// Writes a model with these changes of text, and gives its path.
    func model(_ name: String, _ changes: [(from: String, to: String)]) throws -> String {
        var text = try PackageFiles.text("Examples/Library/Library.xcdatamodeld/Library.xcdatamodel/contents")
        for change in changes {
            guard text.contains(change.from) else { throw CocoaError(.fileReadCorruptFile) }
            text = text.replacing(change.from, with: change.to)
        }
        let bundle = folder.appendingPathComponent("\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: bundle.appendingPathComponent("contents"))
        return bundle.path
    }

    /// Genres are subjects, books have a shelf mark with a default value, and loans no fee.
    func next() throws -> String {
        try model(
            "Library 2",
            [
                (
                    #"<entity name="Genre" representedClassName="Genre""#,
                    #"<entity name="Subject" representedClassName="Subject" elementID="Genre""#
                ),
                (#"destinationEntity="Genre""#, #"destinationEntity="Subject""#),
                (#"inverseEntity="Genre""#, #"inverseEntity="Subject""#),
                (
                    #"<attribute name="title" attributeType="String"/>"#,
                    #"<attribute name="mark" attributeType="String" defaultValueString="none"/>"#
                        + #"<attribute name="title" attributeType="String"/>"#
                ),
                (#"<attribute name="fee" optional="YES" attributeType="Decimal"/>"#, ""),
            ])
    }

    /// The pages of a book are text: nothing that can be worked out.
    func withOtherType() throws -> String {
        try model(
            "Library 3",
            [
                (
                    #"<attribute name="pages" optional="YES" attributeType="Integer 32" minValueString="1""#,
                    #"<attribute name="pages" optional="YES" attributeType="String""#
                )
            ])
    }

    /// A mapping model, as Xcode writes it, that copies entities with these attributes and to-one relationships.
    func mapping(_ entities: [(name: String, attributes: [String], relationships: [String])]) throws -> String {
        var objects: [String] = []
        var identifier = 100
        func object(_ type: String, _ attributes: [(String, String, String)], _ links: [(String, [String])] = [])
            -> String
        {
            identifier += 1
            let values = attributes.map { #"<attribute name="\#($0)" type="\#($1)">\#($2)</attribute>"# }
            let relationships = links.map {
                #"<relationship name="\#($0)" type="0/0" destination="X" idrefs="\#($1.joined(separator: " "))"></relationship>"#
            }
            objects.append(
                #"<object type="\#(type)" id="z\#(identifier)">\#((values + relationships).joined())</object>"#)
            return "z\(identifier)"
        }
        let mappings = entities.enumerated().map { place, entity in
            object(
                "XDDEVENTITYMAPPING",
                [
                    ("sourcename", "string", entity.name), ("destinationname", "string", entity.name),
                    ("mappingtypename", "string", "Undefined"), ("mappingnumber", "int16", "\(place + 1)"),
                ],
                [
                    (
                        "attributemappings",
                        entity.attributes.map {
                            object("XDDEVATTRIBUTEMAPPING", [("name", "string", $0)])
                        }
                    ),
                    (
                        "relationshipmappings",
                        entity.relationships.map {
                            object("XDDEVRELATIONSHIPMAPPING", [("name", "string", $0)])
                        }
                    ),
                ])
        }
        _ = object("XDDEVMAPPINGMODEL", [], [("entitymappings", mappings)])
        let bundle = folder.appendingPathComponent("Mapping.xcmappingmodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let text = #"<?xml version="1.0" standalone="no"?><database>\#(objects.joined())</database>"#
        try Data(text.utf8).write(to: bundle.appendingPathComponent("xcmapping.xml"))
        return bundle.path
    }

    /// The mapping model that copies the whole library, pages left out.
    func wholeMapping(without entity: String? = nil) throws -> String {
        let book = ["copies", "identifier", "inPrint", "price", "published", "rating", "title"]
        return try mapping(
            [
                ("Author", ["born", "name", "portrait", "website"], []),
                ("AudioBook", book + ["duration", "narrator"], ["author", "genres"]),
                ("Book", book, ["author", "genres"]), ("Genre", ["name", "shelf"], []),
                ("Member", ["card", "email", "isActive", "joined", "name"], []),
                ("Loan", ["due", "fee", "lent", "returned"], ["book", "member"]),
            ].filter { $0.0 != entity })
    }
}
