import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// Reads `.xcmappingmodel` bundles, whose `xcmapping.xml` is an XML store of Xcode's own classes.
///
/// Xcode leaves out what it can work out: the name of a mapping, and the expressions of properties, which it makes
/// from the name of the property, or from the mapping and key path that a relationship names. The kinds are mostly
/// "Undefined": comparing the models gives them, which is done where both are at hand.
package struct SourceMappingReader {
    private let objects: [String: XMLTree]

    /// Reads an `.xcmappingmodel` bundle, or the XML in one. Throws a `ModelFileError`.
    package static func read(_ url: URL) throws -> MappingModelDescription {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
        let file = exists && isDirectory.boolValue ? url.appendingPathComponent("xcmapping.xml") : url
        do {
            return try read(data: ModelLocation.data(of: file))
        } catch let error as ModelFileError {
            throw error.located(in: file)
        }
    }

    /// Reads the bytes of an `xcmapping.xml`.
    package static func read(data: Data) throws -> MappingModelDescription {
        let root = try XMLTreeParser.parse(data)
        guard root.name == "database" else {
            throw ModelFileError(.malformed, "this is no XML store", position: root.position)
        }
        let elements = root.children(named: "object")
        let objects = Dictionary(
            elements.compactMap { element in element["id"].map { ($0, element) } },
            uniquingKeysWith: { first, _ in first })
        guard let model = elements.first(where: { $0["type"] == "XDDEVMAPPINGMODEL" }) else {
            throw ModelFileError(.malformed, "the XML store holds no mapping model")
        }
        return try SourceMappingReader(objects: objects).mappingModel(model)
    }

    private func mappingModel(_ element: XMLTree) throws -> MappingModelDescription {
        let mappings = references("entitymappings", of: element)
        let ordered = mappings.sorted { number(of: $0) < number(of: $1) }
        return MappingModelDescription(
            entityMappings: try ordered.map(entityMapping), isSource: true,
            sourceModelPath: text("sourcemodelpath", of: element),
            destinationModelPath: text("destinationmodelpath", of: element))
    }

    private func number(of mapping: XMLTree) -> Int {
        text("mappingnumber", of: mapping).flatMap { Int($0) } ?? Int.max
    }

    private func entityMapping(_ element: XMLTree) throws -> EntityMappingDescription {
        let source = text("sourcename", of: element)
        let destination = text("destinationname", of: element)
        let name =
            text("name", of: element)
            ?? (source.map { "\($0)To\(destination ?? "")" } ?? destination ?? "")
        var mapping = EntityMappingDescription(name: name, kind: try kind(of: element, named: name))
        mapping.sourceEntityName = source
        mapping.destinationEntityName = destination
        mapping.sourceFilter = text("sourcefilterpredicatestring", of: element)
        mapping.migrationPolicyClassName = text("migrationpolicyclassname", of: element)
        if source != nil { mapping.sourceExpression = .sourceObjects(of: source ?? "", filter: mapping.sourceFilter) }
        do {
            mapping.userInfo = try userInfo(of: element)
            mapping.attributeMappings = try references("attributemappings", of: element).map { child in
                let name = try requiredName(of: child)
                return PropertyMappingDescription(
                    name: name, valueExpression: try expression(of: child), userInfo: try userInfo(of: child))
            }
            mapping.relationshipMappings = try references("relationshipmappings", of: element).map { child in
                PropertyMappingDescription(
                    name: try requiredName(of: child),
                    valueExpression: try expression(of: child) ?? generatedRelationship(of: child),
                    userInfo: try userInfo(of: child))
            }
        } catch let error as ModelFileError {
            throw error.located(at: "mapping \(name)")
        }
        return mapping
    }

    private func kind(of element: XMLTree, named name: String) throws -> EntityMappingDescription.Kind {
        switch text("mappingtypename", of: element) {
        case "Undefined", nil: return .undefined
        case "Custom": return .custom
        case "Add": return .add
        case "Remove": return .remove
        case "Copy": return .copy
        case "Transform": return .transform
        case let other?:
            throw ModelFileError(.malformed, "the mapping type \"\(other)\" is unknown", at: "mapping \(name)")
        }
    }

    /// The archived expression that the author wrote, where there is one.
    private func expression(of element: XMLTree) throws -> MappingExpression? {
        guard let data = data("valueexpressiondata", of: element) else { return nil }
        return try CompiledMappingReader.expression(KeyedArchive(data).rootObject())
    }

    /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", name, $source.keyPath)`.
    private func generatedRelationship(of element: XMLTree) -> MappingExpression? {
        guard let mapping = text("sourcemappingname", of: element), let path = text("sourcekeypath", of: element) else {
            return nil
        }
        let source = NSExpression(forVariable: "source")
        let keyPath = path.hasPrefix("$source.") ? String(path.dropFirst("$source.".count)) : ""
        let instances =
            keyPath.isEmpty ? source : NSExpression(form: .keyPath(operand: source, ParsedKeyPath(keyPath)))
        return .expression(
            NSExpression(
                form: .function(
                    operand: NSExpression(forVariable: "manager"),
                    name: "destinationInstancesForEntityMappingNamed:sourceInstances:",
                    arguments: [NSExpression(forConstantValue: mapping), instances])))
    }

    private func userInfo(of element: XMLTree) throws -> [AnyHashable: Any] {
        guard let data = data("userinfodata", of: element) else { return [:] }
        let archive = try KeyedArchive(data)
        let root = try archive.rootObject()
        return try ValueArchiveReader.value(.uid(root.index), in: archive) as? [AnyHashable: Any] ?? [:]
    }

    private func requiredName(of element: XMLTree) throws -> String {
        guard let name = text("name", of: element) else {
            throw ModelFileError(.malformed, "a property mapping has no name", position: element.position)
        }
        return name
    }

    /// The text of an attribute of a stored object; nil for none and for the empty one.
    private func text(_ name: String, of element: XMLTree) -> String? {
        let text = element.children.first { $0.name == "attribute" && $0["name"] == name }?.text
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func data(_ name: String, of element: XMLTree) -> Data? {
        text(name, of: element).flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
    }

    private func references(_ name: String, of element: XMLTree) -> [XMLTree] {
        let relationship = element.children.first { $0.name == "relationship" && $0["name"] == name }
        return (relationship?["idrefs"] ?? "").split(separator: " ").compactMap { objects[String($0)] }
    }
}

extension MappingExpression {
    /// What compiled mapping models have for all objects of an entity:
    /// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", …), $manager.sourceContext, NO)`.
    static func sourceObjects(of entityName: String, filter: String?) -> MappingExpression {
        let manager = NSExpression(forVariable: "manager")
        let request = NSExpression(
            form: .function(
                operand: manager, name: "fetchRequestForSourceEntityNamed:predicateString:",
                arguments: [
                    NSExpression(forConstantValue: entityName),
                    NSExpression(forConstantValue: filter ?? "TRUEPREDICATE"),
                ]))
        let context = NSExpression(form: .keyPath(operand: manager, ParsedKeyPath("sourceContext")))
        return .fetch(request: request, context: context, countOnly: false)
    }
}
