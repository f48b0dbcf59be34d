import CoreData
import Foundation

/// Why a file can't be opened as an ``ArchiveStore``.
enum ArchiveStoreError {
    static func missing(_ url: URL?) -> NSError { make("there is no such store", url) }
    static func noArchive(_ url: URL) -> NSError { make("it is no keyed archive of a store", url) }
    static func noStore(_ url: URL) -> NSError { make("it is a keyed archive, but not of a store", url) }
    static func unknownEntity(_ name: String, _ url: URL?) -> NSError {
        make("the model has no entity '\(name)' of which there could be objects", url)
    }
    static func unsupported(_ attribute: NSAttributeDescription, _ url: URL?) -> NSError {
        make("\(attribute.entity.name ?? "").\(attribute.name) is of a type that an archive can't hold", url)
    }
    static func twice(_ reference: NSNumber, _ url: URL?) -> NSError {
        make("two objects have the number \(reference)", url)
    }

    private static func make(_ text: String, _ url: URL?) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError,
            userInfo: [NSLocalizedDescriptionKey: "\(url?.path ?? "The store"): \(text)."])
    }
}
