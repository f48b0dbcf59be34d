import Foundation
import FoundationCompat
import ManagedObjectModel
import Synchronization

/// Turns the values of transformable attributes into the data that stores keep, and back.
///
/// `NSSecureUnarchiveFromData` and its like run backwards: their forward direction is from data to value (Apple: "Handling
/// different data types in Core Data"). Attributes without a transformer take what `NSCoding` can archive (Apple:
/// valueTransformerName). Any other transformer's forward direction is from value to data.
package enum TransformableCoder {
    /// Why a value has no form that a store can keep, or data no value.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    // MARK: Writing

    /// The data, where it is known that there is some or nothing depends on it.
    package static func data(from value: Any, of property: PropertyLayout) -> Data? {
        data(from: value, transformerName: property.attribute?.valueTransformerName)
    }

    package static func data(from value: Any, transformerName name: String?) -> Data? {
        // Here nil says that it can't be archived. Callers that need the reason call `archive`.
        try? archive(value, transformerName: name)
    }

    /// The data that a store is to keep.
    ///
    /// - Throws: an error that names the attribute, the value's class and what stands against it.
    package static func archive(_ value: Any, of property: PropertyLayout) throws -> Data {
        do {
            return try archive(value, transformerName: property.attribute?.valueTransformerName)
        } catch let failure as Failure {
            throw unstorable(value, of: property, in: nil, failure)
        }
    }

    /// The data that a store is to keep of an object's value.
    ///
    /// - Throws: an error that names the object too.
    package static func archive(_ value: Any, of property: PropertyLayout, in object: any ValueOwner) throws -> Data {
        do {
            return try archive(value, transformerName: property.attribute?.valueTransformerName)
        } catch let failure as Failure {
            throw unstorable(value, of: property, in: object, failure)
        }
    }

    /// - Throws: ``Failure``.
    package static func archive(_ value: Any, transformerName name: String?) throws -> Data {
        let (transformer, missing) = try chosenTransformer(name)
        guard let missing else { return try archive(value, transformer, name) }
        MissingTransformers.warn(of: missing)
        do {
            return try archive(value, transformer, nil)
        } catch let failure as Failure {
            throw Failure(description: "\(MissingTransformers.reason(missing)), and \(failure)")
        }
    }

    private static func archive(_ value: Any, _ transformer: ValueTransformer, _ name: String?) throws -> Data {
        guard isUnarchiving(transformer) else { return try forward(value, transformer, name) }
        if let data = try ownArchive(of: value, transformer) { return data }
        if let data = transformer.reverseTransformedValue(value) as? Data { return data }
        do {
            switch transformer {
            case let secure as NSSecureUnarchiveFromDataTransformer: _ = try secure.archived(value)
            case let keyed as KeyedUnarchiveFromDataTransformer: _ = try keyed.archived(value)
            default: break
            }
        } catch {
            let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)"
            throw Failure(description: reason)
        }
        throw Failure(description: "its value transformer \(type(of: transformer)) makes no data of it")
    }

    private static func forward(_ value: Any, _ transformer: ValueTransformer, _ name: String?) throws -> Data {
        switch transformer.transformedValue(value) {
        case let data as Data: return data
        case nil: throw Failure(description: "its value transformer '\(name ?? "")' makes nil of it")
        case .some(let other):
            throw Failure(
                description: "its value transformer '\(name ?? "")' makes a \(type(of: other)) of it instead of Data")
        }
    }

    private static func unstorable(
        _ value: Any, of property: PropertyLayout, in object: (any ValueOwner)?, _ failure: Failure
    ) -> NSError {
        let place = "\(property.owner.name).\(property.name)"
        var info: [String: Any] = [
            NSValidationKeyErrorKey: property.name, NSValidationValueErrorKey: value,
            "entity": property.owner.name, "class": String(reflecting: type(of: value)),
        ]
        info[NSValidationObjectErrorKey] = object
        info[NSAffectedObjectsErrorKey] = object.map { [$0] }
        let whose = object.map { " of \($0.nameInErrors)" } ?? ""
        return CoreDataError.make(
            NSPersistentStoreSaveError,
            "The value of \(place)\(whose), of the class \(String(reflecting: type(of: value))), can't be saved: "
                + "\(failure). Nothing was written.", info)
    }

    // MARK: Reading

    /// The value that the data stands for. Data that no value can be made of reads as nil, as on Apple's platforms, and stays
    /// as it is until another value is set; the log says so once for each attribute.
    package static func value(from data: Data, of property: PropertyLayout, in object: (any ValueOwner)?) -> Any? {
        do {
            return try unarchive(
                data, transformerName: property.attribute?.valueTransformerName,
                isFromProgram: !property.owner.model.model.isFromFile)
        } catch {
            UnreadableTransformables.logOnce(property, of: object, "\(error)")
            return nil
        }
    }

    /// - Parameter isFromProgram: whether the program has chosen the transformer. One that a file names could be made for other
    ///   data, and an archive may name any class of the program; so a file has Foundation's values only.
    package static func value(from data: Data, transformerName name: String?, isFromProgram: Bool) -> Any? {
        // Callers compare the value, or pass nil on to a client, and need no reason.
        try? unarchive(data, transformerName: name, isFromProgram: isFromProgram)
    }

    /// - Throws: ``Failure``.
    private static func unarchive(_ data: Data, transformerName name: String?, isFromProgram: Bool) throws -> Any {
        guard isFromProgram else {
            if let value = valueOfFile(data, transformerName: name) { return value }
            throw Failure(
                description: "the model comes from the store's file, so only values of Foundation's classes are read")
        }
        let (transformer, missing) = try chosenTransformer(name)
        if isUnarchiving(transformer), let value = decimalArchive(data, transformer) { return value }
        let value: Any? =
            if transformer is KeyedUnarchiveFromDataTransformer {
                KeyedUnarchiveFromDataTransformer.value(of: data, allowsOwnClasses: true) {
                    UnsecuredClasses.warn(of: $0)
                }
            } else if isUnarchiving(transformer) {
                transformer.transformedValue(data)
            } else if type(of: transformer).allowsReverseTransformation() {
                transformer.reverseTransformedValue(data)
            } else {
                throw Failure(
                    description: "its value transformer \(type(of: transformer)) allows no reverse transformation")
            }
        guard let value else {
            // What was saved while nobody had registered the transformer. A transformer that the program has chosen is no reason to let
            // the file choose a class of the program's.
            if !isUnarchiving(transformer),
                let archived = KeyedUnarchiveFromDataTransformer.value(of: data, allowsOwnClasses: false)
            {
                return archived
            }
            if let missing { throw Failure(description: MissingTransformers.reason(missing)) }
            var reason = "its value transformer \(name.map { "'\($0)'" } ?? "\(type(of: transformer))") makes nil of it"
            if let secure = transformer as? NSSecureUnarchiveFromDataTransformer {
                do { _ = try secure.unarchived(data) } catch { reason = "\(error)" }
            }
            throw Failure(description: reason)
        }
        return value
    }

    private static func valueOfFile(_ data: Data, transformerName name: String?) -> Any? {
        let known: [NSValueTransformerName] = [
            .secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
            .unarchiveFromDataTransformerName,
        ]
        let isKnown = name.map { $0.isEmpty || known.contains(NSValueTransformerName($0).asConstant) } ?? true
        guard isKnown else { return nil }
        return KeyedUnarchiveFromDataTransformer.value(of: data, allowsOwnClasses: false)
    }

    // MARK: Transformers

    /// The transformer that was registered under a name, or the default one for no name, and for one that nobody has registered, which
    /// comes with it: Apple's framework warns of these and goes on (seen in a public report of an app).
    private static func chosenTransformer(_ name: String?) throws -> (ValueTransformer, missing: String?) {
        let name = name.flatMap { $0.isEmpty ? nil : $0 }
        if let name, let registered = ValueTransformer(forName: NSValueTransformerName(name)) {
            return (registered, nil)
        }
        guard let keyed = ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName) else {
            throw Failure(description: "the default value transformer isn't registered")
        }
        return (keyed, name)
    }

    private static func isUnarchiving(_ transformer: ValueTransformer) -> Bool {
        transformer is NSSecureUnarchiveFromDataTransformer || transformer is KeyedUnarchiveFromDataTransformer
    }
}

// MARK: What Foundation's archiver can't do

// Foundation's archiver on Linux never ends at a decimal number, nor, as good as, at collections within collections, and its
// unarchiver doesn't know the class that Apple's archives name for decimals. So such values are archived, and those with
// decimals are read, by what writes and reads model files.
extension TransformableCoder {
    /// - Returns: nil where Foundation's archiver does as well, or the transformer isn't one that takes the value.
    private static func ownArchive(of value: Any, _ transformer: ValueTransformer) throws -> Data? {
        let shape: ArchivedShape
        do {
            shape = try ArchivedShape(value)
        } catch let failure as CheckedArchiver.Failure {
            throw Failure(description: failure.description)
        }
        guard shape.overtaxesFoundation else { return nil }
        if let secure = transformer as? NSSecureUnarchiveFromDataTransformer, !secure.allows(value) { return nil }
        let builder = KeyedArchiveBuilder()
        do {
            return builder.archive(root: try ValueArchiveWriter.add(value, to: builder))
        } catch  where shape.isBearable {
            return nil
        } catch {
            let what = shape.change ?? "collections within collections"
            throw Failure(
                description: "it has \(what) beside objects that are none of Foundation's values, which Foundation on "
                    + "Linux can't archive")
        }
    }

    /// - Returns: nil where the archive has no decimals, or anything but Foundation's value classes.
    private static func decimalArchive(_ data: Data, _ transformer: ValueTransformer) -> Any? {
        // What isn't such an archive is the transformer's to refuse.
        guard data.range(of: decimalClass) != nil, let archive = try? KeyedArchive(data),
            archive.hasOnly(classes: valueClasses),
            let value = try? ValueArchiveReader.value(archive.rootNode, in: archive)
        else { return nil }
        let object = value as? NSObject ?? value as AnyObject
        if let secure = transformer as? NSSecureUnarchiveFromDataTransformer, !secure.allows(object) { return nil }
        return object
    }

    private static let decimalClass = Data("NSDecimalNumber".utf8)

    private static let valueClasses: Set<String> = [
        "NSString", "NSMutableString", "NSDate", "NSData", "NSMutableData", "NSUUID", "NSURL", "NSDecimalNumber",
        "NSDecimalNumberPlaceholder", "NSNumber", "NSNull", "NSArray", "NSMutableArray", "NSSet", "NSMutableSet",
        "NSDictionary", "NSMutableDictionary",
    ]
}

/// Warns once of each transformer that a model names and nobody has registered.
enum MissingTransformers {
    private static let told = Mutex<Set<String>>([])

    static func reason(_ name: String) -> String {
        "no value transformer is registered as '\(name)' (call ValueTransformer.setValueTransformer(_:forName:) before the store is "
            + "used)"
    }

    static func warn(of name: String) {
        guard told.withLock({ $0.insert(name).inserted }) else { return }
        CoreDataLog.write(
            "warning: \(reason(name)): values of its attributes are archived by NSKeyedArchiver.", atLevel: 0)
    }
}

/// Logs once for each attribute that its data can't be read: a store full of such values would fill the log otherwise.
enum UnreadableTransformables {
    private static let logged = Mutex<Set<String>>([])

    static func logOnce(_ property: PropertyLayout, of object: (any ValueOwner)?, _ reason: String) {
        let place = "\(property.owner.name).\(property.name)"
        guard logged.withLock({ $0.insert(place).inserted }) else { return }
        let whose = object.map { " of \($0.nameInErrors)" } ?? ""
        CoreDataLog.write(
            "The value of \(place)\(whose) can't be read: \(reason). It reads as nil, and its data stays as it is until "
                + "another value is set. Further values of the attribute that can't be read aren't reported.",
            atLevel: 0)
    }
}

/// The classes of transformable values that any program which can write the store may have archived, with contents of
/// its choice.
enum UnsecuredClasses {
    private static let known = Mutex<Set<ObjectIdentifier>>([])

    /// Logs once in the life of the process that a class doesn't conform to `NSSecureCoding`.
    static func warn(of type: AnyClass) {
        guard known.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
        CoreDataLog.write(
            "warning: a transformable attribute has a value of the class \(type), which isn't NSSecureCoding's: make it conform, "
                + "and name a subclass of NSSecureUnarchiveFromDataTransformer in the model.", atLevel: 0)
    }
}
