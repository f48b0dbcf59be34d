import Foundation

/// The Swift classes of a model's entities, by each entity's code generation setting.
package struct GeneratedModelClasses {
    private let classes: [EntityClass]

    /// Reads a source model, of a bundle of versions the current one.
    ///
    /// - Throws: a `CompilerDiagnostic` that names the file, entity and property.
    package init(model: URL) throws {
        classes = try EntityClassReader.read(model)
        try Self.requireDistinct(classes.filter { $0.generation != .none })
    }

    /// The entities that have a class of their own.
    package var entityNames: [String] { classes.map(\.entityName) }

    /// Those whose class, or its properties, a build generates.
    package var entitiesGeneratedByBuilds: [String] {
        classes.filter { $0.generation != .none }.map(\.entityName)
    }

    /// The classes that a build generates as a whole.
    package var classesGeneratedByBuilds: [String] { classes.filter { $0.generation == .class }.map(\.className) }

    /// The files that Xcode would generate, by name: those of entities that are set to "Class Definition", and the
    /// properties of those set to "Category/Extension".
    ///
    /// - Parameters:
    ///   - includesManual: both files for every entity, as Xcode's menu command writes them.
    ///   - entities: only for these.
    /// - Throws: a `CompilerDiagnostic` where two of the entities have the same class.
    package func files(includesManual: Bool, entities: Set<String>? = nil) throws -> [String: String] {
        let wanted = classes.filter { entity in
            (includesManual || entity.generation != .none) && entities?.contains(entity.entityName) ?? true
        }
        try Self.requireDistinct(wanted)
        var files: [String: String] = [:]
        for entity in wanted {
            let writer = ClassWriter(entity: entity, style: .managed)
            files["\(entity.className)+CoreDataProperties.swift"] = GeneratedSource.text(
                of: writer.propertiesLines(), isForBuild: false)
            if includesManual || entity.generation != .category {
                files["\(entity.className)+CoreDataClass.swift"] = GeneratedSource.text(
                    of: writer.classLines, isForBuild: false)
            }
        }
        return files
    }

    /// One file with all that is generated for the entities in a build: members have their bodies, and classes, key
    /// paths and the bundle that the model will be in are registered.
    ///
    /// - Parameter overrides: those in extensions of the target's sources, which classes that are generated as a whole take over.
    package func buildFile(
        _ locations: SourceLocations = .directives, overrides: [ExtensionOverride] = []
    ) -> String {
        var lines: [String] = []
        var registration = RegistrationWriter(hasModels: true)
        let byName = Dictionary(classes.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
        for entity in classes where entity.generation != .none {
            let writer = ClassWriter(
                entity: entity, style: .complete(locations),
                overrides: overrides.filter { $0.className == entity.className })
            if entity.generation == .class { lines += writer.classLines + [""] }
            lines += writer.propertiesLines(haveClass: entity.generation == .class) + [""]
            if entity.generation == .class {
                let named = RegistrationWriter.ClassEntry(spelling: entity.className, names: [entity.className])
                registration.classes.append(named)
                // As the classes that Xcode generates, which say @objc(Name).
                registration.objectiveCNames.append(named)
            }
            for property in inheritedProperties(of: entity, in: byName) {
                registration.keyPaths.append(.init(spelling: entity.className, property: property.name))
            }
        }
        return GeneratedSource.text(
            of: lines + registration.lines, isForBuild: true, isPublic: classes.contains { $0.generation == .class })
    }

    /// Entities may share a class, but not one that is generated: it would have the properties of one of them.
    private static func requireDistinct(_ entities: [EntityClass]) throws {
        var first: [String: EntityClass] = [:]
        for entity in entities {
            guard let other = first.updateValue(entity, forKey: entity.className) else { continue }
            throw CompilerDiagnostic(
                .error,
                """
                entity \(entity.entityName): its class \(entity.className) would be generated for the entity \
                \(other.entityName) as well; write that class by hand, with the code generation of one of them set to \
                Manual/None
                """, file: entity.file, position: entity.position)
        }
    }

    /// The properties that are generated for a class and those that it inherits from.
    private func inheritedProperties(
        of entity: EntityClass, in classes: [String: EntityClass]
    ) -> [EntityClass.Property] {
        var properties: [EntityClass.Property] = []
        var seen: Set<String> = []
        var next: EntityClass? = entity
        while let current = next, seen.insert(current.className).inserted {
            if current.generation != .none { properties += current.properties }
            next = classes[current.superclassName]
        }
        return properties
    }
}
