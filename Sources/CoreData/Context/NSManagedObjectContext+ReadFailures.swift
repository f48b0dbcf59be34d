import Foundation

extension NSManagedObjectContext {
    /// Takes note that the value of a property can't be read, where no caller could catch an error.
    ///
    /// Our choice: the value reads as nil or as empty, the first failure goes to standard error, and every save throws it
    /// until `rollback()` or `reset()`, so that nothing which was worked out from the missing value gets into a store.
    /// Apple's framework raises an exception, which in Swift ends the process.
    func noteReadFailure(_ error: any Error, of place: String) {
        guard readFailure == nil else { return }
        let cause = error as NSError
        let text = "CoreData could not fulfill a fault for \(place): \(cause.localizedDescription)"
        var info = cause.userInfo
        info[NSLocalizedDescriptionKey] = text + " Roll the context back to go on without this value."
        info[NSUnderlyingErrorKey] = cause
        readFailure = NSError(domain: cause.domain, code: cause.code, userInfo: info)
        FileHandle.standardError.write(Data("CoreData: error: \(text)\n".utf8))
    }
}
