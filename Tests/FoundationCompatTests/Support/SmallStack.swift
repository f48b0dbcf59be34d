import FoundationCompat
import TestSupport

/// Runs work on a thread with a stack of 512 KB, as threads other than the main one have on Apple's platforms. With a sanitizer, whose
/// frames are larger, it has four times that.
enum SmallStack {
    static func run<Result>(_ body: @escaping () -> Result) -> Result {
        nonisolated(unsafe) var result: Result?
        nonisolated(unsafe) let body = body
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            result = body()
            done.signal()
        }
        thread.stackSize = 512 * 1024 * (Sanitizer.isOn ? 4 : 1)
        thread.start()
        done.wait()
        return result!
    }
}
