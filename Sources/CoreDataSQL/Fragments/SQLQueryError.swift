@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// The errors of turning a request into SQL. Each names the part that can't be translated.
///
/// Apple raises `NSInvalidArgumentException` for these. A predicate may come from a file or a user, so here they are
/// thrown, in Apple's domain, with `NSCoreDataError` as the code (our choice: Apple has no code of its own for them).
package enum SQLQueryError {
    package static func make(_ description: String, suggestion: String? = nil) -> NSError {
        var info: [String: Any] = ["NSDebugDescription": description]
        info[NSLocalizedRecoverySuggestionErrorKey] = suggestion
        return CoreDataError.make(NSCoreDataError, suggestion.map { "\(description). \($0)" } ?? description, info)
    }

    /// Something that predicates can say and SQL can't hold.
    package static func unsupported(_ part: String, because reason: String? = nil) -> NSError {
        let error = make("\(part) can't be part of a fetch from a SQLite store" + (reason.map { ": \($0)" } ?? ""))
        return NSError(
            domain: error.domain, code: error.code,
            userInfo: error.userInfo.merging([unsupportedKey: part + (reason.map { ": \($0)" } ?? "")]) { $1 })
    }

    /// Whether the request makes sense, and is only more than the database can be asked for.
    package static func isUnsupported(_ error: any Error) -> Bool {
        unsupportedPart(error) != nil
    }

    /// What of the request the database can't be asked for, and why; nil for any other error.
    package static func unsupportedPart(_ error: any Error) -> String? {
        (error as NSError).userInfo[unsupportedKey] as? String
    }

    private static let unsupportedKey = "OCDUnsupportedInSQL"

    static func unknownKeyPath(_ keyPath: ArraySlice<String>, key: String, in entity: EntityLayout) -> NSError {
        let path = keyPath.joined(separator: ".")
        let place = path == key ? "keypath \(key)" : "key \(key) of keypath \(path)"
        let candidates = entity.properties.map(\.name)
        return make(
            "\(place) not found in entity \(entity.name)",
            suggestion: Spelling.nearest(to: key, among: candidates).map { "Did you mean \"\($0)\"?" })
    }

    static func unknownElement(_ key: String, of composite: PropertyLayout, keyPath: ArraySlice<String>) -> NSError {
        let candidates = composite.elements.map(\.name)
        return make(
            "key \(key) of keypath \(keyPath.joined(separator: ".")) not found in composite attribute "
                + "\(composite.owner.name).\(composite.name)",
            suggestion: Spelling.nearest(to: key, among: candidates).map { "Did you mean \"\($0)\"?" })
    }

    static func beyondAttribute(_ property: PropertyLayout, key: String, keyPath: ArraySlice<String>) -> NSError {
        make(
            "keypath \(keyPath.joined(separator: ".")) asks for \(key) of the attribute "
                + "\(property.owner.name).\(property.name), which has no keys")
    }

    package static func transient(_ property: PropertyLayout, keyPath: ArraySlice<String>) -> NSError {
        make(
            "keypath \(keyPath.joined(separator: ".")) uses \(property.owner.name).\(property.name), which is transient "
                + "and so is not in the store",
            suggestion: "Filter or sort the fetched objects in memory instead.")
    }

    package static func noColumn(_ property: PropertyLayout) -> NSError {
        make("\(property.owner.name).\(property.name) has no column in the store")
    }

    static func toManyNotAllowed(_ keyPath: String) -> NSError {
        make(
            "to-many key not allowed here: \(keyPath)",
            suggestion: "Say ANY, ALL, NONE or IN, or use @count or another collection operator.")
    }
}
