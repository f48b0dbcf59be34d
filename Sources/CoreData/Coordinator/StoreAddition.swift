// Safe: it is handed over: whoever has given it away doesn't look at it again.
/// The opening of a store that a description tells of, and whom to tell when it is done.
struct StoreAddition: @unchecked Sendable {
    let description: NSPersistentStoreDescription
    let handler: (NSPersistentStoreDescription, (any Error)?) -> Void

    func run(in coordinator: NSPersistentStoreCoordinator) {
        do {
            try coordinator.addPersistentStore(
                ofType: description.type, configurationName: description.configuration, at: description.url,
                options: description.options)
            handler(description, nil)
        } catch {
            handler(description, error)
        }
    }
}
