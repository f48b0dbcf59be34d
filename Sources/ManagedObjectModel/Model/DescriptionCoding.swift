import Foundation

/// How descriptions take part in `NSCoding`: as one archive in Apple's layout, put into the coder as data.
///
/// Our choice: the coder of corelibs Foundation cannot write the cyclic graph of a model under Apple's class names.
/// What `NSKeyedArchiver` gives is therefore for us to read; a file for Apple's framework is written by
/// `NSManagedObjectModel.archivedData()`.
enum DescriptionCoding {
    private static let key = "ManagedObjectModel.archive"

    static func encode(_ object: NSObject, with coder: NSCoder) {
        do {
            coder.encode(try CompiledModelWriter.archive(of: object) as NSData, forKey: key)
        } catch {
            coder.failWithError(error)
        }
    }

    /// The description that was encoded, or nil, with the coder failed, where there is none of that type.
    static func decode<Description: NSObject>(from coder: NSCoder) -> Description? {
        do {
            guard let data = coder.decodeObject(of: NSData.self, forKey: key) else {
                throw ModelFileError(.malformed, "the coder holds no \(Description.self)")
            }
            guard let object = try CompiledModelReader.object(in: data as Data) as? Description else {
                throw ModelFileError(.malformed, "the coder holds something else than a \(Description.self)")
            }
            return object
        } catch {
            coder.failWithError(error)
            return nil
        }
    }
}
