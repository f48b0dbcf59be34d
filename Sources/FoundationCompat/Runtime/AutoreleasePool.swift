import Foundation

/// Runs a closure, and lets go of what was kept for it (Apple: "autoreleasepool(invoking:)").
///
/// Objects on Linux live as long as they are used, so there is little that a pool keeps: what contexts have fetched and saved inside of
/// it, which would otherwise stay until their block ends.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    let pool = AutoreleasePool()
    let outer = AutoreleasePool.current
    AutoreleasePool.current = pool
    defer { AutoreleasePool.current = outer }
    return try body()
}

/// What is kept until a closure of `autoreleasepool` ends.
package final class AutoreleasePool {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The innermost pool of the thread.
    package fileprivate(set) static var current: AutoreleasePool? {
        get { pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
        set { pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }) }
    }

    /// What is kept, in a form that the caller decides on.
    package var kept: AnyObject?

    fileprivate init() {}
}
