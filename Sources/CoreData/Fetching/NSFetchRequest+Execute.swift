import Foundation
import ManagedObjectModel

extension NSFetchRequest {
    /// Fetches in the context whose `perform` or `performAndWait` block this is called from.
    ///
    /// The program stops when it is called elsewhere (Apple raises an exception).
    public func execute() throws -> [ResultType] {
        guard let context = CurrentContext.context else {
            fatalError("execute() must be called within a context's perform block")
        }
        return try context.fetch(self)
    }
}
