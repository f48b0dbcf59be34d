import Foundation

/// Whether contexts and objects check that they are used on the right queue.
///
/// On in debug builds of this package, off in others. The argument `-com.apple.CoreData.ConcurrencyDebug 1` of Apple's
/// framework, the user default of that name, and the environment variable `COREDATA_CONCURRENCY_DEBUG=1` (our addition)
/// switch it on, and 0 in their place off. Read once, so it has to be said when a program is started.
enum ConcurrencyCheck {
    static let isOn = DebugSettings.current.checksConcurrency

    /// Stops the program and says who was touched, who owns it, and from where.
    static func stop(_ touched: String, of queue: ContextQueue) -> Never {
        fatalError(
            "CoreData concurrency violation (__Multithreading_Violation_AllThatIsLeftToUsIsHonor__): \(touched) was used "
                + "outside the queue of its context.\n  It belongs to \(queue.description).\n  It was used \(whereabouts)."
                + "\nUse perform or performAndWait of that context, and pass object IDs, not objects, between queues. "
                + "(COREDATA_CONCURRENCY_DEBUG=0 in the environment switches this check off.)")
    }

    private static var whereabouts: String {
        let thread = Thread.isMainThread ? "on the main thread" : "on a background thread"
        let frames = sequence(first: QueueFrame.current) { $0?.outer }.prefix { $0 != nil }
        let contexts = frames.compactMap { $0?.queue.description }
        return contexts.isEmpty
            ? "\(thread), in no context's block"
            : "\(thread), in a block of \(contexts.joined(separator: ", inside one of "))"
    }
}
