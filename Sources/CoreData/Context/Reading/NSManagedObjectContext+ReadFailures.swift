import Foundation

extension NSManagedObjectContext {
    /// Records that the value of a property can't be read, where no caller could catch an error.
    ///
    /// Our choice: the value reads as nil or as empty, the first failure goes to standard error, and every save throws it
    /// until `rollback()` or `reset()`, so that nothing which was worked out from the missing value gets into a store.
    /// Apple's framework raises an exception, which in Swift ends the process.
    ///
    /// A failure while delete rules are applied is treated otherwise, as the program hasn't seen the missing value: the
    /// next save applies the rules again. The failure is forgotten once they succeed, or the deletion is taken back.
    func recordReadFailure(_ error: any Error, of place: String) {
        if appliesDeleteRules {
            deleteRuleFailures.append(
                Self.failure(
                    error, of: place, isFirst: deleteRuleFailures.isEmpty,
                    advice: "Save again when it can be read, or take the deletion back."))
        } else if readFailure == nil {
            readFailure = Self.failure(
                error, of: place, isFirst: true, advice: "Roll the context back to go on without this value.")
        }
    }

    /// What a request gives, or the error for a value that it needs and can't read, as that of a fetch inside of its predicate.
    func tellingReadFailures<Result>(_ request: () throws -> Result) throws -> Result {
        guard readFailure == nil else { return try request() }
        let result = try request()
        if let readFailure { throw readFailure }
        return result
    }

    private static func failure(_ error: any Error, of place: String, isFirst: Bool, advice: String) -> NSError {
        let cause = error as NSError
        let text = "CoreData could not fulfill a fault for \(place): \(cause.localizedDescription)"
        var info = cause.userInfo
        info[NSUnderlyingErrorKey] = cause
        if isFirst { FileHandle.standardError.write(Data("CoreData: error: \(text)\n".utf8)) }
        return .describing("\(text) \(advice)", domain: cause.domain, code: cause.code, userInfo: info)
    }
}
