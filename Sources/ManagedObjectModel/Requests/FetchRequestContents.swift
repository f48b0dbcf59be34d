/// What a fetch request says. Generics are invariant, so a request that is to be seen as one for results of another type is a
/// second object, with the same contents.
final class FetchRequestContents {
    var state = FetchRequestState()
    var isImmutable = false
    /// The requests that have these contents, by the type of their results, as long as they live.
    private var views: [ObjectIdentifier: View] = [:]

    private struct View {
        weak var request: AnyFetchRequest?
    }

    /// Adds a request that has these contents.
    func add<ResultType>(_ request: NSFetchRequest<ResultType>) {
        views[ObjectIdentifier(ResultType.self)] = View(request: request)
    }

    /// The request of that type that has these contents; nil where there is none.
    func view<ResultType>(as type: NSFetchRequest<ResultType>.Type) -> NSFetchRequest<ResultType>? {
        views[ObjectIdentifier(ResultType.self)]?.request as? NSFetchRequest<ResultType>
    }
}
