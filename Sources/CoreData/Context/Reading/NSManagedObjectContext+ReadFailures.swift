import Foundation

extension NSManagedObjectContext {
    /// Takes note that the value of a property can't be read, where no caller could catch an error.
    ///
    /// Our choice: the value reads as nil or as empty, the first failure goes to standard error, and every save throws it
    /// until `rollback()` or `reset()`, so that nothing which was worked out from the missing value gets into a store.
    /// Apple's framework raises an exception, which in Swift ends the process.
    ///
    /// What the delete rules couldn't read is another matter: nobody has seen the missing value, so the rules are applied
    /// again by the next save, and the failure counts no more once that goes well or the object isn't deleted after all.
    func noteReadFailure(_ error: any Error, of place: String) {
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

    private static func failure(_ error: any Error, of place: String, isFirst: Bool, advice: String) -> NSError {
        let cause = error as NSError
        let text = "CoreData could not fulfill a fault for \(place): \(cause.localizedDescription)"
        var info = cause.userInfo
        info[NSUnderlyingErrorKey] = cause
        if isFirst { FileHandle.standardError.write(Data("CoreData: error: \(text)\n".utf8)) }
        return .describing("\(text) \(advice)", domain: cause.domain, code: cause.code, userInfo: info)
    }
}
