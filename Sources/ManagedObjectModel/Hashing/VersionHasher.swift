import Foundation

/// Version hashes, digests and checksums, byte for byte as Apple's framework writes them.
///
/// The algorithm was worked out from files (compiled models with their `VersionInfo.plist`, stores with their model
/// caches). Cases that no file shows are listed in `Documentation/Differences.md`.
package enum VersionHasher {
    /// The version hash of one property.
    package static func hash(of property: NSPropertyDescription) -> Data {
        switch property {
        case let derived as NSDerivedAttributeDescription: return hash(ofDerived: derived)
        case let composite as NSCompositeAttributeDescription: return hash(ofComposite: composite)
        case let attribute as NSAttributeDescription: return hash(ofAttribute: attribute)
        case let relationship as NSRelationshipDescription: return hash(ofRelationship: relationship)
        default: return baseHash(of: property)
        }
    }

    /// The version hash of one entity, its ancestors' included in it.
    package static func hash(of entity: NSEntityDescription) -> Data {
        var known: [ObjectIdentifier: Data] = [:]
        return hash(of: entity, known: &known)
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
        var message = Data((entity.name ?? "").utf8)
        message.append(entity.isAbstract ? 1 : 0)
        if let parent = entity.superentity { message += hash(of: parent, known: &known) }
        let stored = EntityTables(of: entity).propertiesByName.values.filter {
            !$0.isTransient && ($0 is NSAttributeDescription || $0 is NSRelationshipDescription)
        }
        for property in stored.sortedByName() { message += hash(of: property) }
        message += Data((entity.versionHashModifier ?? "").utf8)
        let constraints = entity.uniquenessConstraintNames.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            message += Data(constraint.utf8)
        }
        let hash = SHA2.sha256(message)
        known[ObjectIdentifier(entity)] = hash
        return hash
    }

    private static func baseHash(of property: NSPropertyDescription) -> Data {
        var message = Data(property.name.utf8)
        let flags: UInt16 = (property.isOptional ? 1 : 0) | (property.isTransient ? 2 : 0)
        append(flags, to: &message)
        message += Data((property.versionHashModifier ?? "").utf8)
        return SHA2.sha256(message)
    }

    private static func hash(ofAttribute attribute: NSAttributeDescription) -> Data {
        var message = baseHash(of: attribute)
        append(UInt32(truncatingIfNeeded: attribute.attributeType.rawValue), to: &message)
        if attribute.allowsExternalBinaryDataStorage { message.append(1) }
        if attribute.preservesValueInHistoryOnDeletion { message.append(1) }
        return SHA2.sha256(message)
    }

    /// Only the expression's text counts: neither the name nor the type nor the flags.
    private static func hash(ofDerived derived: NSDerivedAttributeDescription) -> Data {
        SHA2.sha256(Data((derived.derivationExpression.map(DerivationExpression.text) ?? "").utf8))
    }

    private static func hash(ofComposite composite: NSCompositeAttributeDescription) -> Data {
        var message = Data()
        for element in composite.elements.sortedByName() { message += hash(of: element) }
        return SHA2.sha256(message)
    }

    private static func hash(ofRelationship relationship: NSRelationshipDescription) -> Data {
        var message = baseHash(of: relationship)
        message += Data((relationship.destinationEntityName ?? "").utf8)
        // A relationship that is its own inverse counts as one without.
        let isOwnInverse =
            relationship.inverseRelationship.map { $0 === relationship }
            ?? (relationship.inverseRelationshipName == relationship.name
                && relationship.destinationEntityName == relationship.declaringEntity?.name)
        if !isOwnInverse { message += Data((relationship.inverseRelationshipName ?? "").utf8) }
        append(UInt32(truncatingIfNeeded: relationship.maxCount), to: &message)
        append(UInt32(truncatingIfNeeded: relationship.minCount), to: &message)
        if relationship.isOrdered { message += Data([1, 0]) }
        return SHA2.sha256(message)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to message: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { message.append(contentsOf: $0) }
    }
}
