import ArgumentParser
import CoreData

struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Print the objects of an entity.",
        discussion: """
            With --json: an array of objects with "objectID", "entity", every attribute, to-one relationships as \
            a URI or null and to-many ones as arrays of URIs. Dates are ISO 8601, data is base64, decimals are strings.
            """)

    @OptionGroup var storeArguments: StoreArguments
    @OptionGroup var fetchArguments: FetchArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Key paths to sort by, descending with a minus, as in: author.name,-published", valueName: "keys")
    )
    var sort: SortKeys?

    @Option(help: "At most this many objects.")
    var limit: Int?

    @Option(help: "Leave out this many objects first.")
    var offset: Int = 0

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard limit ?? 0 >= 0, offset >= 0 else {
            throw ValidationError("--limit and --offset can't be negative.")
        }
    }

    func run() throws {
        let store = try storeArguments.openForReading()
        let objectIDs: [NSManagedObjectID] = try store.perform { context in
            // For the framework a limit of 0 means none.
            if limit == 0 { return [] }
            let request: NSFetchRequest<NSManagedObjectID> = try fetchArguments.request(in: store)
            request.resultType = .managedObjectIDResultType
            request.sortDescriptors = try sort?.descriptors(for: store.entity(named: fetchArguments.entity))
            request.fetchLimit = limit ?? 0
            request.fetchOffset = offset
            return try context.fetch(request)
        }
        var writer = RecordWriter(isJSON: json)
        try store.forEachObject(with: objectIDs) { try writer.write(ObjectRecord($0)) }
        try writer.finish()
    }
}
