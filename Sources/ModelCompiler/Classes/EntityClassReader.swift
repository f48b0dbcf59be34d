import Foundation
import ManagedObjectModel

/// Reads from a source model which classes its entities have, and what types their properties.
///
/// The types are those that Xcode gives them: objects are optional whether or not the attribute is, and numbers are
/// scalars where the model says so (Apple: "Generating code").
struct EntityClassReader {
    private let elements: [String: XMLTree]
    private let file: URL

    /// The classes of a model, in the order of the file.
    static func read(_ url: URL) throws -> [EntityClass] {
        do {
            guard let source = try ModelFile.sourceTree(url) else { return [] }
            let entities = source.root.children(named: "entity")
            let named = entities.compactMap { element in element["name"].map { ($0, element) } }
            let reader = EntityClassReader(
                elements: Dictionary(named, uniquingKeysWith: { first, _ in first }), file: source.file)
            return try entities.compactMap(reader.entityClass)
        } catch let error as ModelFileError {
            throw CompilerDiagnostic(error, file: url.path)
        }
    }

    private func entityClass(of element: XMLTree) throws -> EntityClass? {
        guard let name = element["name"], let className = Self.className(of: element) else { return nil }
        guard let generation = EntityClass.Generation(rawValue: element["codeGenerationType"] ?? "none") else {
            throw CompilerDiagnostic(
                .error,
                "entity \(name): the code generation \"\(element["codeGenerationType"] ?? "")\" is unknown",
                file: file.path, position: element.position)
        }
        try requireIdentifier(className, "the class name", of: "entity \(name)", position: element.position)
        let parent = element["parentEntity"].flatMap { elements[$0] }
        let properties = try element.children.compactMap { child -> EntityClass.Property? in
            guard let property = child["name"], let type = try self.property(child, named: property, of: name) else {
                return nil
            }
            try requireIdentifier(
                property, "the name", of: "entity \(name), property \(property)", position: child.position)
            return type
        }
        // A parent may lack a class of its own.
        let superclass = parent.flatMap(Self.className)
        return EntityClass(
            entityName: name, className: className, superclassName: superclass ?? "NSManagedObject",
            isRoot: superclass == nil,
            generation: generation, properties: properties, file: file.path, position: element.position)
    }

    private func requireIdentifier(_ text: String, _ what: String, of place: String, position: TextPosition?) throws {
        let isIdentifier = text.first.map { !$0.isNumber } ?? false
        guard isIdentifier, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
            throw CompilerDiagnostic(
                .error, "\(place): \(what) \"\(text)\" is no name in Swift", file: file.path, position: position)
        }
    }

    /// The class of an entity's objects without the module in front.
    private static func className(of element: XMLTree) -> String? {
        guard let name = element["representedClassName"]?.split(separator: ".").last, name != "NSManagedObject" else {
            return nil
        }
        return String(name)
    }

    private func property(
        _ element: XMLTree, named name: String, of entity: String
    ) throws -> EntityClass.Property? {
        switch element.name {
        case "attribute":
            let type = try type(ofAttribute: element, named: name, of: entity)
            return .init(name: name, type: type, kind: .attribute, position: element.position)
        case "relationship":
            let destination = element["destinationEntity"].flatMap { elements[$0] }.flatMap(Self.className)
            let member = destination ?? "NSManagedObject"
            guard element["toMany"] == "YES" else {
                return .init(name: name, type: "\(member)?", kind: .toOne, position: element.position)
            }
            let isOrdered = element["ordered"] == "YES"
            return .init(
                name: name, type: isOrdered ? "NSOrderedSet?" : "NSSet?",
                kind: .toMany(memberClass: member, isOrdered: isOrdered), position: element.position)
        case "fetchedProperty":
            let request = element.children(named: "fetchRequest").first
            let destination = request?["entity"].flatMap { elements[$0] }.flatMap(Self.className)
            return .init(
                name: name, type: "[\(destination ?? "NSManagedObject")]?", kind: .fetched, position: element.position)
        default: return nil
        }
    }

    private func type(ofAttribute element: XMLTree, named name: String, of entity: String) throws -> String {
        let isScalar = element["usesScalarValueType"] == "YES"
        switch element["attributeType"] {
        case "Integer 16": return isScalar ? "Int16" : "NSNumber?"
        case "Integer 32": return isScalar ? "Int32" : "NSNumber?"
        case "Integer 64": return isScalar ? "Int64" : "NSNumber?"
        case "Double": return isScalar ? "Double" : "NSNumber?"
        case "Float": return isScalar ? "Float" : "NSNumber?"
        case "Boolean": return isScalar ? "Bool" : "NSNumber?"
        case "Date": return isScalar ? "TimeInterval" : "Date?"
        case "Decimal": return "NSDecimalNumber?"
        case "String": return "String?"
        case "Binary": return "Data?"
        case "UUID": return "UUID?"
        case "URI": return "URL?"
        case "Transformable":
            // Xcode writes a dot before the name of a class in the program's own module.
            let custom = (element["customClassName"] ?? "").drop { $0 == "." }
            return custom.isEmpty ? "NSObject?" : "\(custom)?"
        case "Composite": return "[String: Any]?"
        case "ObjectID": return "NSManagedObjectID?"
        case "Undefined", nil: return "NSObject?"
        case let other?:
            throw CompilerDiagnostic(
                .error, "entity \(entity), property \(name): the attribute type \"\(other)\" is unknown",
                file: file.path, position: element.position)
        }
    }
}
