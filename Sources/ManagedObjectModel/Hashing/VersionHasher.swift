import Foundation

/// Version hashes, digests and checksums, byte for byte as Apple's framework writes them.
///
/// The algorithm was worked out from files (compiled models with their `VersionInfo.plist`, stores with their model
/// caches). Cases that no file shows are listed in `Documentation/Differences.md`.
package enum VersionHasher {
    /// The version hash of one property.
    package static func hash(of property: NSPropertyDescription) -> Data {
        VersionHashMessage.hash { append(property, to: &$0) }
    }

    /// The version hash of one entity, its ancestors' included in it.
    package static func hash(of entity: NSEntityDescription) -> Data {
        var known: [ObjectIdentifier: Data] = [:]
        return hash(of: entity, known: &known)
    }

    /// The version hash of an entity whose properties are at hand, and whose ancestors' hashes are known.
    static func hash(of entity: NSEntityDescription, _ tables: EntityTables) -> Data {
        var known: [ObjectIdentifier: Data] = [:]
        return hash(of: entity, tables, known: &known)
    }

    /// The version hashes of entities by name. Each ancestor is hashed once.
    package static func hashes(of entities: [NSEntityDescription]) -> [String: Data] {
        var known: [ObjectIdentifier: Data] = [:]
        var result: [String: Data] = [:]
        for entity in entities {
            if let name = entity.name { result[name] = hash(of: entity, known: &known) }
        }
        return result
    }

    /// What `VersionInfo.plist` and store metadata call the checksum: base64 of SHA-256 over the hashes by name.
    package static func checksum(of hashes: [String: Data]) -> String {
        var message = Data()
        for name in namesInByteOrder(hashes) { message += hashes[name] ?? Data() }
        return SHA2.sha256(message).base64EncodedString()
    }

    /// What store metadata calls the digest: base64 of SHA-512 over names and hashes.
    package static func digest(of hashes: [String: Data]) -> String {
        var message = Data()
        for name in namesInByteOrder(hashes) {
            message += Data(name.utf8)
            message += hashes[name] ?? Data()
        }
        return SHA2.sha512(message).base64EncodedString()
    }

    private static func namesInByteOrder(_ hashes: [String: Data]) -> [String] {
        hashes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func hash(of entity: NSEntityDescription, known: inout [ObjectIdentifier: Data]) -> Data {
        if let hash = entity.frozenVersionHash ?? known[ObjectIdentifier(entity)] { return hash }
        return hash(of: entity, EntityTables(of: entity), known: &known)
    }

    private static func hash(
        of entity: NSEntityDescription, _ tables: EntityTables, known: inout [ObjectIdentifier: Data]
    ) -> Data {
        let parent = entity.superentity.map { hash(of: $0, known: &known) }
        let digest = VersionHashMessage.hash { message in
            message.append(entity.name ?? "")
            message.append(entity.isAbstract ? 1 : 0)
            if let parent { message.append(parent) }
            let stored = tables.propertiesByName.values.filter {
                !$0.isTransient && ($0 is NSAttributeDescription || $0 is NSRelationshipDescription)
            }
            for property in stored.sortedByName() { message.appendHash { append(property, to: &$0) } }
            message.append(entity.versionHashModifier ?? "")
            let constraints = entity.uniquenessConstraintNames.map { $0.joined(separator: ".") }
            for constraint in constraints.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                message.append(constraint)
            }
        }
        known[ObjectIdentifier(entity)] = digest
        return digest
    }

    /// Appends what the hash of a property is the digest of.
    private static func append(_ property: NSPropertyDescription, to message: inout VersionHashMessage) {
        switch property {
        case let derived as NSDerivedAttributeDescription:
            // Only the expression's text counts: neither the name nor the type nor the flags.
            message.append(derived.derivationExpression.map(DerivationExpression.text) ?? "")
        case let composite as NSCompositeAttributeDescription:
            for element in composite.elements.sortedByName() { message.appendHash { append(element, to: &$0) } }
        case let attribute as NSAttributeDescription: append(attribute: attribute, to: &message)
        case let relationship as NSRelationshipDescription: append(relationship: relationship, to: &message)
        default: appendBase(of: property, to: &message)
        }
    }

    /// Appends what all properties have in common.
    private static func appendBase(of property: NSPropertyDescription, to message: inout VersionHashMessage) {
        message.append(property.name)
        let flags: UInt16 = (property.isOptional ? 1 : 0) | (property.isTransient ? 2 : 0)
        message.append(littleEndian: flags)
        message.append(property.versionHashModifier ?? "")
    }

    private static func append(attribute: NSAttributeDescription, to message: inout VersionHashMessage) {
        message.appendHash { appendBase(of: attribute, to: &$0) }
        message.append(littleEndian: UInt32(truncatingIfNeeded: attribute.attributeType.rawValue))
        if attribute.allowsExternalBinaryDataStorage { message.append(1) }
        if attribute.preservesValueInHistoryOnDeletion { message.append(1) }
    }

    private static func append(relationship: NSRelationshipDescription, to message: inout VersionHashMessage) {
        message.appendHash { appendBase(of: relationship, to: &$0) }
        message.append(relationship.destinationEntityName ?? "")
        // A relationship that is its own inverse counts as one without.
        let isOwnInverse =
            relationship.inverseRelationship.map { $0 === relationship }
            ?? (relationship.inverseRelationshipName == relationship.name
                && relationship.destinationEntityName == relationship.declaringEntity?.name)
        if !isOwnInverse { message.append(relationship.inverseRelationshipName ?? "") }
        message.append(littleEndian: UInt32(truncatingIfNeeded: relationship.maxCount))
        message.append(littleEndian: UInt32(truncatingIfNeeded: relationship.minCount))
        if relationship.isOrdered {
            message.append(1)
            message.append(0)
        }
    }
}
