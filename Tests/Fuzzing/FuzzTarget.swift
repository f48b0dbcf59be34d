import Foundation
import FoundationCompat
import ManagedObjectModel

#if canImport(CoreData)
    import CoreData
#endif

/// What is fed with bytes of anybody's choice. Each has to give an answer or an error, whatever they are.
///
/// Scripts/fuzz builds this as a program of libFuzzer's, together with the few files of CoreData that parse by themselves; the
/// environment says which target a process is for. The tests build it as a module, and run the seeds.
package enum FuzzTarget: String, CaseIterable {
    case predicate, modelArchive, modelXML, mappingModel, propertyList, keyedArchive, metadata, historyToken, objectURI

    fileprivate static let current: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("FUZZ_TARGET must be one of \(allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return target
    }()

    package func run(_ data: Data) {
        switch self {
        case .predicate:
            guard let predicate = try? NSPredicate.parse(String(decoding: data, as: UTF8.self), argumentArray: [])
            else { return }
            _ = predicate.predicateFormat
            _ = predicate.copy()
        case .modelArchive:
            guard let model = try? NSManagedObjectModel(archivedData: data) else { return }
            _ = model.entityVersionHashesByName
            _ = model.copy()
        case .modelXML: try? XMLModelReader.read(data, into: NSManagedObjectModel())
        case .mappingModel:
            _ = try? CompiledMappingReader.read(data)
            _ = try? SourceMappingReader.read(data: data)
        case .propertyList: _ = try? PropertyListNode.read(data)
        case .keyedArchive:
            _ = KeyedUnarchiveFromDataTransformer.value(of: data, allowsOwnClasses: false)
            _ = NSSecureUnarchiveFromDataTransformer().transformedValue(data)
            _ = try? KeyedArchive(data)
        case .metadata:
            guard let list = try? PropertyListNode.read(data).foundationValue as? [String: Any] else { return }
            _ = NSManagedObjectModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: list)
            _ = NSManagedObjectModel(byMerging: [], forStoreMetadata: list)
        case .historyToken:
            // Foundation's unarchiver by itself ends the program at many a damaged archive, whatever is in it.
            _ = TokenTransformer().transformedValue(data)
        case .objectURI:
            guard let url = URL(string: String(decoding: data, as: UTF8.self)), let uri = ObjectURI(url) else { return }
            guard let again = ObjectURI(uri.url) else { fatalError("\(uri) isn't read back") }
            precondition(again.entityName == uri.entityName && again.reference == uri.reference)
        }
    }

    /// What a target begins with: small sound inputs, made here.
    package func seeds() throws -> [Data] {
        switch self {
        case .predicate:
            return [
                "a == 1", "name BEGINSWITH[cd] 'x' AND NOT (b.c > %@)", "ANY tags.name IN {'a', 'b', 3.5e1}",
                "SUBQUERY(items, $x, $x.price > 2 OR $x MATCHES \"(a|b)*\").@count > 0", "a BETWEEN {1, 2}",
                "CAST(now(), 'NSNumber') - a ** 2 == FUNCTION(b, 'uppercase:') && TRUEPREDICATE",
                "TERNARY(a > 0, b, c) == nil", "a[FIRST] == b.@sum.c",
            ].map { Data($0.utf8) }
        case .modelArchive: return [try Self.model().archivedData()]
        case .modelXML:
            return [Data(XMLModelWriter.document(of: Self.model()).xml.utf8)]
        case .mappingModel: return [try CompiledMappingWriter.data(for: MappingModelDescription(entityMappings: []))]
        case .propertyList, .metadata:
            let list: [String: Any] = [
                "NSStoreModelVersionHashes": ["Person": Data(count: 32)], "NSStoreUUID": "x",
                "a": [1, 2.5, true, Date()],
            ]
            return [try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)]
        case .keyedArchive:
            let values: [Any] = [
                ["a": [1, 2]] as NSDictionary, "text" as NSString, NSUUID(), NSURL(string: "http://a/b")!,
            ]
            return try values.map { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: false) }
        case .historyToken:
            return [
                try NSKeyedArchiver.archivedData(
                    withRootObject: NSPersistentHistoryToken(["store": 7]), requiringSecureCoding: true)
            ]
        case .objectURI: return ["x-coredata://A-B/Person/p1", "x-coredata:///Person/tX-1"].map { Data($0.utf8) }
        }
    }

    private static func model() -> NSManagedObjectModel {
        let attribute = NSAttributeDescription()
        attribute.name = "name"
        attribute.attributeType = .stringAttributeType
        attribute.defaultValue = "x"
        let entity = NSEntityDescription()
        entity.name = "Person"
        let friends = NSRelationshipDescription()
        friends.name = "friends"
        friends.destinationEntity = entity
        friends.inverseRelationship = friends
        entity.properties = [attribute, friends]
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == $x")
        let model = NSManagedObjectModel()
        model.entities = [entity]
        model.setFetchRequestTemplate(request, forName: "named")
        return model
    }
}

/// What reads a token from an archive that may be anybody's.
private final class TokenTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSPersistentHistoryToken.self] }
}

/// What libFuzzer calls once, first of all: writes the target's seeds into the folder that `FUZZ_SEEDS` names.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
    if let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] {
        for (number, seed) in ((try? FuzzTarget.current.seeds()) ?? []).enumerated() {
            try? seed.write(to: URL(fileURLWithPath: folder).appendingPathComponent("seed-\(number)"))
        }
    }
    return 0
}

/// What libFuzzer calls for each input: runs the target over the bytes. Returns 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    FuzzTarget.current.run(Data(bytes: bytes, count: count))
    return 0
}
