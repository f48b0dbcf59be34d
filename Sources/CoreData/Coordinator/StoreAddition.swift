// Safe: it is handed over; the thread that gave it away doesn't use it any more.
/// The opening of the store of a description, and the handler to call at its end.
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
