import Foundation

/// Reads the `elements` of models made by Xcode 3: keyed archives of the modelling tool's own classes.
///
/// A model there is a tree of UML-like elements with bags of named settings ("stereotypes"). They are put into
/// the form of the later XML, which has the same settings under other names, so that one reader knows the rules.
/// Known from the 22 such models among the fixtures.
struct Xcode3ModelReader {
    private let archive: KeyedArchive

    /// Whether the outermost object of an archive is a model of Xcode 3.
    static func recognizes(_ root: ArchivedObject) -> Bool {
        root.className == "XDPMModel"
    }

    /// The model as the XML of Xcode 4 has it.
    static func tree(of root: ArchivedObject) throws -> XMLTree {
        try Xcode3ModelReader(archive: root.archive).model(root)
    }

    private func model(_ root: ArchivedObject) throws -> XMLTree {
        let tree = XMLTree("model")
        // Models that know the setting at all compile to an empty identifier where it has no value.
        if root.has("_modelVersionIdentifier") {
            tree.set("userDefinedModelVersionIdentifier", try root.string("_modelVersionIdentifier") ?? "")
        }
        guard let package = try root.object("_xd_rootPackage") else {
            throw root.mismatch("_xd_rootPackage", "a package of entities")
        }
        guard try root.pairs("_configurationsByName").isEmpty else {
            throw ModelFileError(.unsupported, "configurations of Xcode 3 models are not supported")
        }
        for (name, node) in try package.pairs("XDBucketForClassesstorage").sorted(by: { $0.key < $1.key }) {
            guard let object = try archive.object(at: node, in: "entity \(name)"), object.className == "XDPMEntity"
            else {
                throw package.mismatch("XDBucketForClassesstorage", "entities")
            }
            do {
                let settings = try self.settings(of: object)
                tree.children.append(try entity(object, settings: settings))
                let requests = try settings["XD_PSK_fetchRequestsArray"]?.objects("_default") ?? []
                tree.children += try requests.map { try fetchRequest($0) }
            } catch let error as ModelFileError {
                throw error.located(at: "entity \(name)")
            }
        }
        return tree
    }

    private func entity(_ object: ArchivedObject, settings: [String: ArchivedObject]) throws -> XMLTree {
        let element = XMLTree("entity")
        element.set("name", try object.requiredString("_name"))
        let className = try settings["XD_PSK_entityClassName"]?.string("_default")
        element.set("representedClassName", className == "NSManagedObject" ? nil : className)
        element.set("isAbstract", try settings["XD_PSK_isAbstract"]?.boolean("_default") ?? false)
        element.set("elementID", try settings["XD_PSK_elementID"]?.string("_default"))
        element.set("versionHashModifier", try settings["XD_PSK_versionHashModifier"]?.string("_default"))
        let parents = try object.objects("XDBucketForGeneralizationsstorage").compactMap { try $0.object("_general") }
        element.set("parentEntity", try parents.first?.requiredString("_name"))
        try addUserInfo(settings["XD_PSK_userInfo"], to: element)
        for (name, node) in try object.pairs("XDBucketForOwnedAttributesstorage").sorted(by: { $0.key < $1.key }) {
            guard let property = try archive.object(at: node, in: "property \(name)") else { continue }
            do {
                element.children.append(try self.property(property, named: name))
            } catch let error as ModelFileError {
                throw error.located(at: "property \(name)")
            }
        }
        for (key, what) in [
            ("XDPMCompoundIndexes", "compound indexes"), ("XDPMUniquenessConstraints", "uniqueness constraints"),
        ] {
            let members = try settings[key]?.members("_default") ?? []
            guard members.isEmpty else {
                throw ModelFileError(.unsupported, "\(what) of Xcode 3 models are not supported")
            }
        }
        return element
    }

    private func property(_ object: ArchivedObject, named name: String) throws -> XMLTree {
        let settings = try self.settings(of: object)
        let element: XMLTree
        switch object.className {
        case "XDPMAttribute": element = try attribute(settings)
        case "XDPMRelationship": element = try relationship(settings)
        case "XDPMFetchedProperty":
            element = XMLTree("fetchedProperty")
            element.children += try object.objects("_fetchRequest").map { try fetchRequest($0) }
        default: throw ModelFileError(.unsupported, "a property has the unknown class \(object.className)")
        }
        element.set("name", name)
        element.set("optional", try settings["XD_PPSK_isOptional"]?.boolean("_default") ?? false)
        element.set("transient", try settings["XD_PPSK_isTransient"]?.boolean("_default") ?? false)
        element.set("indexed", try settings["XD_PPSK_isIndexed"]?.boolean("_default") ?? false)
        element.set("storedInTruthFile", try settings["XD_PPSK_isStoredInTruthFile"]?.boolean("_default") ?? false)
        element.set(
            "spotlightIndexingEnabled", try settings["XD_PPSK_isSpotlightIndexed"]?.boolean("_default") ?? false)
        element.set("elementID", try settings["XD_PPSK_elementID"]?.string("_default"))
        element.set("versionHashModifier", try settings["XD_PPSK_versionHashModifier"]?.string("_default"))
        try addUserInfo(settings["XD_PPSK_userInfo"], to: element)
        return element
    }

    private func attribute(_ settings: [String: ArchivedObject]) throws -> XMLTree {
        let element = XMLTree("attribute")
        let number = try settings["XD_PAttK_attributeType"]?.integer("_default") ?? 0
        guard number >= 0, let type = NSAttributeType(rawValue: UInt(number)) else {
            throw ModelFileError(.malformed, "the attribute type \(number) is unknown")
        }
        if type != .undefinedAttributeType { element.set("attributeType", type.xmlName) }
        for (name, key) in [
            ("defaultValueString", "XD_PAttK_defaultValueAsString"), ("minValueString", "XD_PAttK_minValueString"),
            ("maxValueString", "XD_PAttK_maxValueString"),
            ("regularExpressionString", "XD_PAttK_regularExpressionString"),
            ("valueTransformerName", "XD_PAttK_valueTransformerName"),
        ] {
            let text = try settings[key]?.string("_default")
            if type == .dateAttributeType, text != nil, name != "valueTransformerName" {
                throw ModelFileError(.unsupported, "default and limiting dates of Xcode 3 models are not supported")
            }
            element.set(name, text)
        }
        element.set(
            "allowsExternalBinaryDataStorage",
            try settings["XD_PAttK_allowsExternalBinaryDataStorage"]?.boolean("_default") ?? false)
        return element
    }

    private func relationship(_ settings: [String: ArchivedObject]) throws -> XMLTree {
        let element = XMLTree("relationship")
        let destination = try settings["XD_PRK_destination"]?.object("_default")
        element.set("destinationEntity", try destination?.requiredString("_name"))
        element.set(
            "inverseName", try settings["XD_PRK_inverseRelationship"]?.object("_default")?.requiredString("_name"))
        element.set("ordered", try settings["XD_PRK_ordered"]?.boolean("_default") ?? false)
        let maximum = try settings["XD_PRK_maxCount"]?.integer("_default")
        let isToMany = try settings["XD_PRK_isToMany"]?.boolean("_default") ?? (maximum != 1)
        element.set("toMany", isToMany)
        if isToMany { element.set("maxCount", maximum.flatMap { $0 == 1 ? nil : String($0) }) }
        let minimum = try settings["XD_PRK_minCount"]?.integer("_default")
        element.set("minCount", minimum.map(String.init))
        let rule = try settings["XD_PRK_deleteRule"]?.integer("_default") ?? 1
        guard rule >= 0, let rule = NSDeleteRule(rawValue: UInt(rule)) else {
            throw ModelFileError(.malformed, "the delete rule \(rule) is unknown")
        }
        element.set("deletionRule", ModelDescription.name(of: rule))
        return element
    }

    private func fetchRequest(_ object: ArchivedObject) throws -> XMLTree {
        let element = XMLTree("fetchRequest")
        element.set("name", try object.requiredString("_name"))
        element.set("entity", try object.object("_entity")?.requiredString("_name"))
        element.set("predicateString", try object.string("_predicateString"))
        return element
    }

    /// The named settings of an element, from all of its bags; each is an object with a `_default`.
    private func settings(of object: ArchivedObject) throws -> [String: ArchivedObject] {
        var result: [String: ArchivedObject] = [:]
        for (_, node) in try object.pairs("XDBucketForStereotypesstorage") {
            guard let bag = try archive.object(at: node, in: "stereotype") else { continue }
            for (name, node) in try bag.pairs("XDBucketForOwnedAttributesstorage") {
                result[name] = try archive.object(at: node, in: name)
            }
        }
        return result
    }

    /// Notes of the author. What Xcode 3 added for Sync Services, which no system has any more, is left out.
    private func addUserInfo(_ setting: ArchivedObject?, to element: XMLTree) throws {
        guard let notes = try setting?.value("_default") as? [AnyHashable: Any], !notes.isEmpty else { return }
        let child = XMLTree("userInfo")
        for (key, value) in notes.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            guard let key = key.base as? String, !key.hasPrefix("com.apple.syncservices."), let text = value as? String
            else { continue }
            child.children.append(XMLTree("entry", attributes: [("key", key), ("value", text)]))
        }
        if !child.children.isEmpty { element.children.append(child) }
    }
}
