import ArgumentParser
import CoreData

/// What `fetch` and `count` have in common: which objects.
struct FetchArguments: ParsableArguments {
    @Argument(help: "The entity's name.")
    var entity: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only objects that match, as in: title BEGINSWITH[cd] \"g\" AND author.name != nil", valueName: "format"))
    var predicate: String?

    @Flag(help: "Leave out objects of subentities.")
    var noSubentities = false

    /// A request for the objects, with the predicate parsed.
    func request<Result>(in store: OpenStore) throws -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>(entityName: try store.entity(named: entity).name ?? entity)
        request.includesSubentities = !noSubentities
        if let predicate {
            do {
                request.predicate = try NSPredicate.parse(predicate)
            } catch {
                throw ValidationError("--predicate: \(FailureText.describe(error))")
            }
        }
        return request
    }
}
