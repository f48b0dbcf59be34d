import Foundation

/// A controller whatever the type of its results.
protocol AnyFetchedResultsController: AnyObject {
    var results: FetchedResults { get }
}

extension NSFetchedResultsController: AnyFetchedResultsController {}

extension NSFetchedResultsController {
    /// The same controller, seen as one for results of another type.
    ///
    /// An addition for Linux, where generics are invariant and `controller as! NSFetchedResultsController<Person>` can't
    /// succeed for what a delegate is handed: `coredata swift` and `coredata port` write this for it. It is the controller that
    /// the client made where that is of this type. The program stops where the value is no controller.
    public static func cast(_ controller: Any?) -> NSFetchedResultsController<ResultType> {
        guard let seen = castIfController(controller) else {
            fatalError(
                "Could not cast value of type '\(controller.map { "\(type(of: $0))" } ?? "nil")' to '\(Self.self)'.")
        }
        return seen
    }

    /// The same controller, seen as one for results of another type; nil where the value is no controller.
    ///
    /// What `coredata swift` and `coredata port` write for `controller as? NSFetchedResultsController<Person>`.
    public static func castIfController(_ value: Any?) -> NSFetchedResultsController<ResultType>? {
        guard let controller = value as? any AnyFetchedResultsController else { return nil }
        if let same = controller as? NSFetchedResultsController<ResultType> { return same }
        if let made = controller.results.controller as? NSFetchedResultsController<ResultType> { return made }
        return NSFetchedResultsController<ResultType>(showing: controller.results, of: controller)
    }
}
