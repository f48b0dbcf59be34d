/// What a target that gets OpenCombine for Combine needs besides: Combine's publisher of a property, and managed objects'
/// `objectWillChange` as one of OpenCombine's publishers. Neither module knows the other, so the target has it.
enum CombineBridge {
    /// Whether one of a target's sources may use it.
    static func isNeeded(by sources: [String]) -> Bool {
        let uses = ["objectWillChange", "publisher(for: \\", "publisher(for:\\"]
        return sources.contains { $0.contains("CoreData") }
            && sources.contains { source in uses.contains(where: source.contains) }
    }

    private static let framework = "CoreData"

    /// What is added at the end of one of the target's sources.
    static let text = """

        #if !canImport(Combine)
        import \(framework)
        import OpenCombine

        extension NSObjectProtocol where Self: NSObject {
            /// The values at a key path, the present one first.
            func publisher<Value>(
                for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
            ) -> OpenCombine.AnyPublisher<Value, Never> {
                OpenCombine.Deferred { () -> OpenCombine.AnyPublisher<Value, Never> in
                    let values = OpenCombine.PassthroughSubject<Value, Never>()
                    let observation = self.observe(keyPath, options: options.subtracting(.initial)) { object, _ in
                        values.send(object[keyPath: keyPath])
                    }
                    let changes = values.handleEvents(receiveCancel: { observation.invalidate() })
                    guard options.contains(.initial) else { return changes.eraseToAnyPublisher() }
                    let present = OpenCombine.Just(self[keyPath: keyPath])
                    return OpenCombine.Publishers.Concatenate(prefix: present, suffix: changes).eraseToAnyPublisher()
                }
                .eraseToAnyPublisher()
            }
        }

        extension CoreData.ManagedObjectPublisher: @retroactive OpenCombine.Publisher {
            public typealias Output = Void
            public typealias Failure = Never

            public func receive<Downstream: OpenCombine.Subscriber>(subscriber: Downstream)
            where Downstream.Input == Void, Downstream.Failure == Never {
                let values = OpenCombine.PassthroughSubject<Void, Never>()
                let subscription: CoreData.ManagedObjectPublisher.Subscription = sink { values.send() }
                values.handleEvents(receiveCancel: { subscription.cancel() }).receive(subscriber: subscriber)
            }
        }
        #endif

        """
}
