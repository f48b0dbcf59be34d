import Foundation
import FoundationCompat
import ManagedObjectModel

/// Makes the errors of the stack, with Apple's codes and texts that say what to do.
package enum CoreDataError {
    package static func make(_ code: Int, _ text: String, _ info: [String: Any] = [:]) -> NSError {
        .describing(text, code: code, userInfo: info)
    }

    package static func unsupportedRequest(_ text: String) -> NSError {
        make(NSPersistentStoreUnsupportedRequestTypeError, text)
    }

    package static func unknownEntity(_ name: String, in model: ModelLayout) -> NSError {
        let known = model.entities.map(\.name)
        let hint = Spelling.nearest(to: name, among: known).map { " Did you mean '\($0)'?" } ?? ""
        return make(NSCoreDataError, "The model has no entity named '\(name)'.\(hint)", ["entities": known])
    }
}
