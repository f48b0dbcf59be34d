@_spi(Engine) import CoreDataRows
import Foundation

/// Whether contexts and objects check that they are used on the right queue, and what happens where they aren't.
///
/// Debug builds of this package warn of a wrong use, once for each place in the program; other builds don't check. The
/// argument `-com.apple.CoreData.ConcurrencyDebug` of Apple's framework, the user default of that name, and the
/// environment variable `COREDATA_CONCURRENCY_DEBUG` (our addition) change that: 1 stops the program, as Apple's does,
/// `warn` warns, 0 is silence. Read once, so it has to be said when a program is started.
enum ConcurrencyCheck {
    static let mode = DebugSettings.current.concurrencyCheck
    static let isOn = mode != .isOff

    /// Reports which object was used, the queue that it belongs to, and the place in the program; stops the program if
    /// it was started with that setting.
    static func report(_ touched: @autoclosure () -> String, of queue: ContextQueue) {
        if mode == .stops {
            fatalError(
                "CoreData concurrency violation (__Multithreading_Violation_AllThatIsLeftToUsIsHonor__): "
                    + text(touched(), of: queue)
                    + " (COREDATA_CONCURRENCY_DEBUG=0 in the environment switches this check off.)")
        }
        guard let search = CallSite.new() else { return }
        let text = text(touched(), of: queue)
        search.start { place in
            let line =
                "CoreData: warning: concurrency violation at \(place): \(text) Each place is told once. "
                + "COREDATA_CONCURRENCY_DEBUG=1 in the environment, or the argument -com.apple.CoreData.ConcurrencyDebug 1, "
                + "stops the program there; 0 is silence.\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
    }

    private static func text(_ touched: String, of queue: ContextQueue) -> String {
        "\(touched) was used outside the queue of its context.\n  It belongs to \(queue.description).\n"
            + "  It was used \(whereabouts).\n"
            + "Use perform or performAndWait of that context, and pass object IDs, not objects, between queues."
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

extension NSManagedObjectContext {
    /// Reports where concurrency is being checked and the context isn't used on its queue.
    ///
    /// - Parameter method: the public method that was called.
    @inline(__always)
    func checkQueue(_ method: @autoclosure () -> StaticString) {
        if ConcurrencyCheck.isOn, !queue.isCurrent { ConcurrencyCheck.report("the context's \(method())", of: queue) }
    }
}

extension NSManagedObject {
    /// Reports where the object isn't used on its context's queue. Only objects that are watched come here.
    final func checkQueue(_ key: String?) {
        guard let context = ownContext, !context.queue.isCurrent else { return }
        let property = key.map { "'\($0)' of " } ?? ""
        ConcurrencyCheck.report(
            "\(property)the \(layout.name) \(objectID.uriRepresentation().absoluteString)", of: context.queue)
    }
}
