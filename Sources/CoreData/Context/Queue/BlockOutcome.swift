// Safe: the thread that waits for the block takes it when the block has ended.
/// What a block gave, on its way from the queue on which it ran to the one caller that waits for it.
struct BlockOutcome<T, E: Error>: @unchecked Sendable {
    let result: Result<T, E>

    init(running block: () throws(E) -> T) {
        do {
            result = .success(try block())
        } catch {
            result = .failure(error)
        }
    }
}

// Safe: the block runs once, on the queue that it is given to.
/// A block on its way to the one queue that it is meant for.
struct SendableBlock: @unchecked Sendable {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}
