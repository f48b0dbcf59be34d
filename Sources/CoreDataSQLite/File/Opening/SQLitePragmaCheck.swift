import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB
import ManagedObjectModel

/// What may be asked for by `NSSQLitePragmasOption`: <https://www.sqlite.org/pragma.html>. SQLite itself says nothing of a pragma
/// that it doesn't know, or of a value that it doesn't take.
package enum SQLitePragmaCheck {
    private enum Values {
        case boolean
        case integer
        /// Words, or their places among them.
        case words([String])
        /// A Boolean or one of the words.
        case booleanOr([String])
    }

    private static let known: [String: Values] = [
        "auto_vacuum": .words(["none", "full", "incremental"]),
        "automatic_index": .boolean,
        "busy_timeout": .integer,
        "cache_size": .integer,
        "cache_spill": .booleanOr([]),
        "case_sensitive_like": .boolean,
        "cell_size_check": .boolean,
        "checkpoint_fullfsync": .boolean,
        "fullfsync": .boolean,
        "hard_heap_limit": .integer,
        "journal_mode": .words(["delete", "truncate", "persist", "memory", "wal", "off"]),
        "journal_size_limit": .integer,
        "locking_mode": .words(["normal", "exclusive"]),
        "mmap_size": .integer,
        "page_size": .integer,
        "reverse_unordered_selects": .boolean,
        "secure_delete": .booleanOr(["fast"]),
        "soft_heap_limit": .integer,
        "synchronous": .words(["off", "normal", "full", "extra"]),
        "temp_store": .words(["default", "file", "memory"]),
        "threads": .integer,
        "wal_autocheckpoint": .integer,
        "encoding": .words(["utf-8"]),
    ]

    /// What would make another format of the file, take the guard against hostile files away, or keep rows from being written as
    /// the framework means them.
    private static let forbidden: [String: String] = [
        "writable_schema": "opens the text of the schema to be damaged",
        "schema_version": "damages databases that others have open",
        "trusted_schema": "lets a stranger's file run functions",
        "legacy_file_format": "asks for another format of the file",
        "application_id": "marks the file as another program's",
        "query_only": "keeps anything from being saved; open the store with NSReadOnlyPersistentStoreOption",
        "ignore_check_constraints": "accepts rules of the file away",
        "foreign_keys": "has SQLite keep references, which Core Data's tables don't declare",
        "recursive_triggers": "has the file's triggers run otherwise than they are made for",
        "defer_foreign_keys": "has SQLite keep references, which Core Data's tables don't declare",
        "temp_store_directory": "changes where all connections of the program put their files",
        "data_store_directory": "changes where all connections of the program put their files",
        "read_uncommitted": "lets readers see what isn't saved",
    ]

    /// - Returns: the pragmas that SQLite doesn't know.
    /// - Throws: `NSPersistentStoreOpenError` for a pragma that mustn't be set, and for a value that it doesn't take.
    package static func check(_ pragmas: [String: String]) throws -> [String] {
        var unknown: [String] = []
        for (given, text) in pragmas {
            let (name, value) = (given.lowercased(), text.lowercased())
            if let reason = forbidden[name] {
                throw SQLiteStoreError.error(.open, "the pragma \(given) can't be set, as it \(reason)")
            }
            guard let values = known[name] else {
                if !names.contains(name) { unknown.append(given) }
                continue
            }
            guard accepts(values, value) else {
                throw SQLiteStoreError.error(
                    .open, "\"\(given) = \(text)\" is not a pragma that can be set: \(expectation(values))")
            }
        }
        return unknown.sorted()
    }

    package static func nearest(to name: String) -> String? {
        Spelling.nearest(to: name, among: Array(known.keys))
    }

    private static let booleans = ["0", "1", "on", "off", "yes", "no", "true", "false"]

    private static func accepts(_ values: Values, _ value: String) -> Bool {
        switch values {
        case .boolean: booleans.contains(value)
        case .integer: Int64(value) != nil
        case .words(let words): words.contains(value) || Int(value).map(words.indices.contains) ?? false
        case .booleanOr(let words): booleans.contains(value) || words.contains(value) || Int64(value) != nil
        }
    }

    private static func expectation(_ values: Values) -> String {
        switch values {
        case .boolean: "it has to be a Boolean"
        case .integer: "it has to be a whole number"
        case .words(let words): "it has to be one of \(words.joined(separator: ", "))"
        case .booleanOr(let words): "it has to be \((["a number", "a Boolean"] + words).joined(separator: " or "))"
        }
    }

    /// All that SQLite on this machine knows; it has pragmas that do something once and take no value.
    private static let names: Set<String> = {
        do {
            return Set(try DatabaseQueue().read { try $0.values(String.self, "PRAGMA pragma_list") })
        } catch {
            // An old or a reduced one doesn't tell; then none counts as known but those above.
            return []
        }
    }()
}
