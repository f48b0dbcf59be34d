import Foundation

extension Timer {
    /// Makes a timer that calls a method of an object. (Apple: init(timeInterval:target:selector:userInfo:repeats:).)
    ///
    /// An addition for Linux, where methods aren't called by their names: the selector has to bring its method along, as the one that
    /// `coredata swift` and `coredata port` write for `#selector`. The object lives until the method has ended the timer, or
    /// has been called by one that doesn't repeat; where the program ends the timer it lives on, as Linux' Foundation lets no timer
    /// go. `userInfo` of the timer reads as nil.
    public convenience init(
        timeInterval interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
    ) {
        let call = TimerCall(target, selector, repeats: repeats)
        self.init(timeInterval: interval, repeats: repeats) { call.perform(by: $0) }
    }

    /// Makes a timer that calls a method of an object from a date on. (Apple: init(fireAt:interval:target:selector:userInfo:repeats:).)
    ///
    /// What `init(timeInterval:target:selector:userInfo:repeats:)` says of selectors is true here as well.
    public convenience init(
        fireAt date: Date, interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
    ) {
        let call = TimerCall(target, selector, repeats: repeats)
        self.init(fire: date, interval: interval, repeats: repeats) { call.perform(by: $0) }
    }

    /// Makes a timer that calls a method of an object, and adds it to the run loop of this thread.
    /// (Apple: scheduledTimer(timeInterval:target:selector:userInfo:repeats:).)
    ///
    /// What `init(timeInterval:target:selector:userInfo:repeats:)` says of selectors is true here as well.
    @discardableResult
    public class func scheduledTimer(
        timeInterval interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
    ) -> Timer {
        let call = TimerCall(target, selector, repeats: repeats)
        return scheduledTimer(withTimeInterval: interval, repeats: repeats) { call.perform(by: $0) }
    }
}

// Safe: it is made, and changed, on the thread of the timer's run loop alone.
/// The call that a timer makes.
private final class TimerCall: @unchecked Sendable {
    private var target: AnyObject?
    private let selector: Selector
    private let repeats: Bool

    init(_ target: Any, _ selector: Selector, repeats: Bool) {
        self.target = target as AnyObject
        self.selector = selector
        self.repeats = repeats
    }

    func perform(by timer: Timer) {
        guard let target else { return }
        guard selector.call(on: target, with: timer) else {
            fatalError(
                "-[\(type(of: target)) \(selector)]: unrecognized selector of a timer: on Linux it has to bring its method along, "
                    + "Selector(\"\(selector)\", calling: { (target: \(type(of: target)), _) in … })")
        }
        // What holds this call isn't let go when the timer becomes invalid.
        if !repeats || !timer.isValid { self.target = nil }
    }
}
