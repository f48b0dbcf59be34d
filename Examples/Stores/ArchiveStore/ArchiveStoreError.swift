import CoreData
import Foundation

/// Why a file can't be opened as an ``ArchiveStore``.
enum ArchiveStoreError {
    static func missing(_ url: URL?) -> NSError { make("there is no such store", url) }
    static func noArchive(_ url: URL, _ cause: any Error) -> NSError {
        make("it is no keyed archive of a store", url, [NSUnderlyingErrorKey: cause])
    }
    static func noStore(_ url: URL) -> NSError { make("it is a keyed archive, but not of a store", url) }
    static func unknownEntity(_ name: String, _ url: URL?) -> NSError {
        make("the model has no entity '\(name)' of which there could be objects", url)
    }
    static func twice(_ reference: NSNumber, _ url: URL?) -> NSError {
        make("two objects have the number \(reference)", url)
    }

    private static func make(_ text: String, _ url: URL?, _ info: [String: Any] = [:]) -> NSError {
        let info = info.merging([NSLocalizedDescriptionKey: "\(url?.path ?? "The store"): \(text)."]) { $1 }
        return NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError, userInfo: info)
    }
}
