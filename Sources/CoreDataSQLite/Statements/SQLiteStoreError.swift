@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// The errors that the SQLite store throws: `NSCocoaErrorDomain`, with Apple's codes and user-info keys.
package enum SQLiteStoreError {
    /// The codes of Foundation and of Apple's framework that concern a SQLite store.
    package struct Code: Sendable {
        package let rawValue: Int

        package static let fileReadNoSuchFile = Code(CocoaError.Code.fileReadNoSuchFile.rawValue)
        static let fileReadCorrupt = Code(CocoaError.Code.fileReadCorruptFile.rawValue)
        static let fileReadUnknown = Code(CocoaError.Code.fileReadUnknown.rawValue)
        static let fileReadNoPermission = Code(CocoaError.Code.fileReadNoPermission.rawValue)
        package static let fileWriteNoPermission = Code(CocoaError.Code.fileWriteNoPermission.rawValue)
        package static let fileWriteOutOfSpace = Code(CocoaError.Code.fileWriteOutOfSpace.rawValue)
        static let constraintMerge = Code(NSManagedObjectConstraintMergeError)
        static let constraintValidation = Code(NSManagedObjectConstraintValidationError)
        static let deniedDelete = Code(NSValidationRelationshipDeniedDeleteError)
        static let tokenExpired = Code(NSPersistentHistoryTokenExpiredError)
        static let incompatibleSchema = Code(NSPersistentStoreIncompatibleSchemaError)
        package static let save = Code(NSPersistentStoreSaveError)
        package static let operation = Code(NSPersistentStoreOperationError)
        package static let open = Code(NSPersistentStoreOpenError)
        package static let timeout = Code(NSPersistentStoreTimeoutError)
        package static let sqlite = Code(NSSQLiteError)

        private init(_ rawValue: Int) { self.rawValue = rawValue }
    }

    /// `SQLITE_CORRUPT` and `SQLITE_NOTADB`.
    package static let corrupt: Int32 = 11
    static let notADatabase: Int32 = 26

    /// An error that says what happened, to which file, and why.
    package static func error(
        _ code: Code, _ description: String, url: URL? = nil, sqliteCode: Int32? = nil, underlying: (any Error)? = nil,
        userInfo extra: [String: Any] = [:]
    ) -> NSError {
        var userInfo = extra
        let place = url.map { "\($0.path): " } ?? ""
        userInfo["reason"] = description
        if let url {
            userInfo[NSFilePathErrorKey] = url.path
            userInfo[NSURLErrorKey] = url
        }
        // Apple's key for SQLite's own result code.
        if let sqliteCode { userInfo[NSSQLiteErrorDomain] = NSNumber(value: sqliteCode) }
        if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
        return .describing(place + description, code: code.rawValue, userInfo: userInfo)
    }

    /// The model and the tables of the file don't fit together.
    package static func schema(_ reason: String) -> NSError {
        error(.incompatibleSchema, reason)
    }

    /// The same error, with the file named in it.
    package static func locating(_ error: any Error, at url: URL) -> any Error {
        let known = error as NSError
        guard known.domain == NSCocoaErrorDomain, known.userInfo[NSFilePathErrorKey] == nil else { return error }
        var userInfo = known.userInfo
        userInfo[NSFilePathErrorKey] = url.path
        userInfo[NSURLErrorKey] = url
        return NSError.describing(
            "\(url.path): \(known.localizedDescription)", domain: known.domain, code: known.code, userInfo: userInfo)
    }

    /// An error of SQLite as Apple's framework reports it; errors that say what they mean are passed on with the file.
    static func translating(_ error: any Error, at url: URL) -> any Error {
        guard let error = error as? DatabaseError else { return locating(error, at: url) }
        let code: Code =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .fileReadCorrupt
            case .SQLITE_CANTOPEN: .open
            case .SQLITE_BUSY, .SQLITE_LOCKED: .timeout
            case .SQLITE_READONLY: .fileWriteNoPermission
            case .SQLITE_PERM, .SQLITE_AUTH: .fileReadNoPermission
            case .SQLITE_FULL: .fileWriteOutOfSpace
            // The file beside the log that connections share couldn't grow.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .fileWriteOutOfSpace
            case .SQLITE_CONSTRAINT: .constraintMerge
            default: .sqlite
            }
        // A copy of a whole database fails without leaving its message with the connection, which says the opposite.
        let message = error.message == "not an error" ? nil : error.message
        let cause = message ?? "SQLite error \(error.extendedResultCode)"
        return Self.error(
            code, cause, url: url, sqliteCode: error.extendedResultCode.rawValue,
            userInfo: error.sql.map { ["SQL": $0] } ?? [:])
    }
}
